import { LoggerService } from '@backstage/backend-plugin-api';
import { stringifyError } from '@backstage/errors';
import { WorkspaceStore } from './storage/WorkspaceStore';
import { WorkspaceSummary } from './Workspace';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';
import { WorkspaceEvents } from './WorkspaceEvents';

/** The minimum time by which an Extend postpones the idle stop. */
const EXTEND_MINUTES = 60;

const MINUTE_MS = 60_000;

/**
 * Returns when a workspace will stop if it is not used: the idle timeout after its last use, or the time
 * to which its owner extended it, whichever is later.
 *
 * @param idleTimeoutMinutes - null for never.
 * @returns null if it is not running, or never stops automatically.
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

/**
 * Returns until when an Extend at `now` keeps a workspace running; always later than it would
 * stop otherwise.
 */
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

/** Rules for deleting unused workspaces. */
export interface CleanUpRules {
  /** Minimum time from the last use to the deletion. */
  afterMs: number;
  /** Minimum time from the notice to the deletion. */
  noticeMs: number;
}

type Unused = Pick<
  WorkspaceSummary,
  'status' | 'lastUsedAt' | 'unusedNoticeAt' | 'importedFrom' | 'keptUntil'
>;

/**
 * Returns whether the owner must be notified of the deletion. Using the workspace voids an earlier
 * notice. Imported workspaces that have never run contain nothing to lose, so no notice is sent.
 */
function isDueForNotice(
  workspace: Unused,
  { afterMs, noticeMs }: CleanUpRules,
  now: Date,
): boolean {
  return (
    workspace.status === 'Stopped' &&
    workspace.importedFrom === null &&
    !hasNotice(workspace) &&
    now.getTime() >= Date.parse(workspace.lastUsedAt) + afterMs - noticeMs
  );
}

/**
 * Returns when a workspace will be deleted if it is not used.
 *
 * @returns null while it is in use, until its owner has been notified, and for an imported workspace
 * that has never run and is kept without limit.
 */
export function deletesAt(
  workspace: Unused,
  rules: CleanUpRules | null,
): Date | null {
  if (workspace.status !== 'Stopped') {
    return null;
  }
  if (workspace.importedFrom !== null) {
    return workspace.keptUntil === null ? null : new Date(workspace.keptUntil);
  }
  if (!rules || !hasNotice(workspace)) {
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

/** Dependencies of {@link IdleMonitor}. */
interface IdleMonitorOptions {
  store: WorkspaceStore;
  lifecycle: Pick<WorkspaceLifecycle, 'stop'>;
  logger: LoggerService;
  /** null: workspaces never stop automatically. */
  idleTimeoutMinutes: number | null;
  now?: () => Date;
}

/**
 * Time after the portal's start in which no idle workspace is stopped: while the portal was down,
 * workspaces could not be used. Open editors reconnect within seconds.
 */
const RETURN_MINUTES = 5;

/** Stops idle workspaces, and records the times of last use. */
export class IdleMonitor {
  readonly #options: IdleMonitorOptions;
  readonly #now: () => Date;
  readonly #startedAt: number;
  readonly #lastUsed = new Map<string, string>();

  constructor(options: IdleMonitorOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#startedAt = this.#now().getTime();
  }

  /** Records the use of a workspace in memory. Cheap, because it is called for every request to an IDE. */
  used(workspaceId: string): void {
    this.#lastUsed.set(workspaceId, this.#now().toISOString());
  }

  /** Writes the recorded times of use to the database. */
  async flush(): Promise<void> {
    for (const [id, lastUsedAt] of [...this.#lastUsed]) {
      await this.#options.store.update(id, { lastUsedAt });
      // Removed only now that it is written; a newer time recorded in the meantime is written next time.
      if (this.#lastUsed.get(id) === lastUsedAt) {
        this.#lastUsed.delete(id);
      }
    }
  }

  /** Writes the recorded times of use and stops workspaces that have been idle for too long. */
  async check(): Promise<void> {
    const { idleTimeoutMinutes, lifecycle, logger, store } = this.#options;
    await this.flush();
    const now = this.#now();
    const minutes = Math.min(idleTimeoutMinutes ?? 0, RETURN_MINUTES);
    if (now.getTime() < this.#startedAt + minutes * MINUTE_MS) {
      return;
    }
    for (const workspace of await store.listByStatus(['Running'])) {
      const deadline = stopsAt(workspace, idleTimeoutMinutes);
      // It may have been used or extended since it was read.
      if (deadline && deadline <= now && !this.#lastUsed.has(workspace.id)) {
        const isStopped = await lifecycle.stop(workspace, {
          reason: `Stopped after ${inWords(idleTimeoutMinutes ?? 0)} without use`,
          unusedSince: workspace,
        });
        if (isStopped) {
          logger.info(`Stopping ${workspace.id}: unused`);
        }
      }
    }
  }
}

/** Formats a number of minutes: `30 minutes`, `1 hour`, `8 hours`, `90 minutes`. */
function inWords(minutes: number): string {
  const isHours = minutes >= 60 && minutes % 60 === 0;
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: isHours ? 'hour' : 'minute',
    unitDisplay: 'long',
  }).format(isHours ? minutes / 60 : minutes);
}

/** Minimum time between checks; the rules count in days. */
const LOOK_EVERY_MS = 10 * 60_000;

/** Dependencies of {@link UnusedMonitor}. */
interface UnusedMonitorOptions {
  store: WorkspaceStore;
  lifecycle: Pick<WorkspaceLifecycle, 'delete'>;
  events: WorkspaceEvents;
  logger: LoggerService;
  /** null: only imported workspaces are deleted, at the time set by their importer. */
  rules: CleanUpRules | null;
  now?: () => Date;
}

/**
 * Deletes workspaces that have been unused for long, after notifying their owners in advance, and
 * imported ones that were not started in time.
 */
export class UnusedMonitor {
  readonly #options: UnusedMonitorOptions;
  readonly #now: () => Date;
  #lookedAt = 0;

  constructor(options: UnusedMonitorOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** Sends notices and deletes what is due; does nothing if the last check was recent. */
  async check(): Promise<void> {
    const { rules, store } = this.#options;
    const now = this.#now();
    if (now.getTime() - this.#lookedAt < LOOK_EVERY_MS) {
      return;
    }
    this.#lookedAt = now.getTime();
    for (const workspace of await store.listByStatus(['Stopped'])) {
      if (rules && isDueForNotice(workspace, rules, now)) {
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
    // Fails if the workspace has been started since, or another replica has just sent the notice.
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
    const { lifecycle, logger } = this.#options;
    try {
      // Its owner may have started it since it was read.
      const isDeleted = await lifecycle.delete(workspace, {
        unusedSince: workspace.lastUsedAt,
      });
      if (isDeleted) {
        logger.info(`Deleted ${workspace.id}: unused`);
      }
    } catch (error) {
      // Continue with the others; the life cycle retries this one.
      logger.error(
        `${workspace.id} could not be deleted: ${stringifyError(error)}`,
      );
    }
  }
}
