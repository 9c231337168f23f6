import { LoggerService } from '@backstage/backend-plugin-api';
import { WorkspaceStore } from './storage/WorkspaceStore';
import { WorkspaceSummary } from './Workspace';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';
import { WorkspaceEvents } from './WorkspaceEvents';

/** How much later than now an Extend lets a workspace stop, at least. */
const EXTEND_MINUTES = 60;

const MINUTE_MS = 60_000;

/**
 * When an unused workspace stops: the idle time after its last use, or the
 * moment to which its owner extended it, whichever is later.
 *
 * @param idleTimeoutMinutes - null for never.
 * @returns null when it does not run, or never stops by itself.
 */
export function stopsAt(
  workspace: Pick<WorkspaceSummary, 'status' | 'lastUsedAt' | 'extendedUntil'>,
  idleTimeoutMinutes: number | null,
): Date | null {
  if (workspace.status !== 'Running' || idleTimeoutMinutes === null) {
    return null;
  }
  const idle =
    Date.parse(workspace.lastUsedAt) + idleTimeoutMinutes * MINUTE_MS;
  const extended = workspace.extendedUntil
    ? Date.parse(workspace.extendedUntil)
    : 0;
  return new Date(Math.max(idle, extended));
}

/** The moment to which an Extend at `now` keeps a workspace up: never earlier than it stops anyway. */
export function extendedUntil(
  workspace: Pick<WorkspaceSummary, 'status' | 'lastUsedAt' | 'extendedUntil'>,
  idleTimeoutMinutes: number | null,
  now: Date,
): Date {
  const current = stopsAt(workspace, idleTimeoutMinutes) ?? now;
  return new Date(
    Math.max(current.getTime(), now.getTime()) + EXTEND_MINUTES * MINUTE_MS,
  );
}

/** When unused workspaces are deleted. */
export interface CleanUpRules {
  /** From the last use to the deletion, at least. */
  afterMs: number;
  /** From the notice to the deletion, at least. */
  noticeMs: number;
}

type Unused = Pick<
  WorkspaceSummary,
  'status' | 'lastUsedAt' | 'unusedNoticeAt'
>;

/** Returns whether the owner is yet to be told. A use after a notice makes it void. */
function isDueForNotice(
  workspace: Unused,
  { afterMs, noticeMs }: CleanUpRules,
  now: Date,
): boolean {
  return (
    workspace.status === 'Stopped' &&
    !hasNotice(workspace) &&
    now.getTime() >= Date.parse(workspace.lastUsedAt) + afterMs - noticeMs
  );
}

/**
 * When an unused workspace is deleted.
 *
 * @returns null while it is in use, and until its owner has been told.
 */
export function deletesAt(
  workspace: Unused,
  rules: CleanUpRules | null,
): Date | null {
  if (!rules || workspace.status !== 'Stopped' || !hasNotice(workspace)) {
    return null;
  }
  return new Date(
    Math.max(
      Date.parse(workspace.lastUsedAt) + rules.afterMs,
      Date.parse(workspace.unusedNoticeAt ?? '') + rules.noticeMs,
    ),
  );
}

function hasNotice({ lastUsedAt, unusedNoticeAt }: Unused): boolean {
  return unusedNoticeAt !== null && unusedNoticeAt > lastUsedAt;
}

/** What an {@link IdleMonitor} works with. */
interface IdleMonitorOptions {
  store: WorkspaceStore;
  lifecycle: Pick<WorkspaceLifecycle, 'stop'>;
  logger: LoggerService;
  /** null: workspaces never stop by themselves. */
  idleTimeoutMinutes: number | null;
  now?: () => Date;
}

/** Stops workspaces that nobody uses, and keeps the times of last use. */
export class IdleMonitor {
  readonly #options: IdleMonitorOptions;
  readonly #now: () => Date;
  readonly #lastUsed = new Map<string, string>();

  constructor(options: IdleMonitorOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** Notes that somebody uses a workspace. Cheap: called for every request to an IDE. */
  used(workspaceId: string): void {
    this.#lastUsed.set(workspaceId, this.#now().toISOString());
  }

  /** Writes the noted times of use. */
  async flush(): Promise<void> {
    for (const [id, lastUsedAt] of [...this.#lastUsed]) {
      await this.#options.store.update(id, { lastUsedAt });
      // Until it is written it is kept, and what was noted meanwhile is for the next time.
      if (this.#lastUsed.get(id) === lastUsedAt) {
        this.#lastUsed.delete(id);
      }
    }
  }

  /** Writes the noted times of use and stops what has been idle for too long. */
  async check(): Promise<void> {
    const { idleTimeoutMinutes, lifecycle, logger, store } = this.#options;
    await this.flush();
    const now = this.#now();
    for (const workspace of await store.listByStatus(['Running'])) {
      const deadline = stopsAt(workspace, idleTimeoutMinutes);
      if (deadline && deadline <= now) {
        logger.info(`Stopping ${workspace.id}: unused`);
        await lifecycle.stop(workspace, {
          reason: `Stopped after ${idleTimeoutMinutes} minutes without use`,
        });
      }
    }
  }
}

/** Days are what is counted; looking more often than this finds nothing new. */
const LOOK_EVERY_MS = 10 * 60_000;

/** What an {@link UnusedMonitor} works with. */
interface UnusedMonitorOptions {
  store: WorkspaceStore;
  lifecycle: Pick<WorkspaceLifecycle, 'delete'>;
  events: WorkspaceEvents;
  logger: LoggerService;
  /** null: nothing is ever deleted by itself. */
  rules: CleanUpRules | null;
  now?: () => Date;
}

/** Deletes workspaces that nobody has used for long, after their owner was told and had time. */
export class UnusedMonitor {
  readonly #options: UnusedMonitorOptions;
  readonly #now: () => Date;
  #lookedAt = 0;

  constructor(options: UnusedMonitorOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** Gives notice and deletes what is due; does nothing when it has looked a moment ago. */
  async check(): Promise<void> {
    const { rules, store } = this.#options;
    const now = this.#now();
    if (!rules || now.getTime() - this.#lookedAt < LOOK_EVERY_MS) {
      return;
    }
    this.#lookedAt = now.getTime();
    for (const workspace of await store.listByStatus(['Stopped'])) {
      if (isDueForNotice(workspace, rules, now)) {
        await this.#giveNotice(workspace, rules, now);
      } else if ((deletesAt(workspace, rules) ?? now) < now) {
        await this.#delete(workspace);
      }
    }
  }

  async #giveNotice(
    workspace: WorkspaceSummary,
    rules: CleanUpRules,
    now: Date,
  ): Promise<void> {
    const { events, logger, store } = this.#options;
    const unusedNoticeAt = now.toISOString();
    // Of several replicas that look at once, one may be late: it finds it started.
    const told = await store.transition(workspace.id, ['Stopped'], {
      unusedNoticeAt,
    });
    const due = deletesAt({ ...workspace, unusedNoticeAt }, rules);
    if (told && due) {
      logger.info(`${workspace.id} is unused and will be deleted`);
      events.changed(workspace, null, { kind: 'unused', deletesAt: due });
    }
  }

  async #delete(workspace: WorkspaceSummary): Promise<void> {
    const { lifecycle, logger, store } = this.#options;
    const current = await store.get(workspace.id);
    if (
      current?.status === 'Stopped' &&
      current.lastUsedAt === workspace.lastUsedAt
    ) {
      logger.info(`Deleting ${workspace.id}: unused`);
      await lifecycle.delete(current);
    }
  }
}
