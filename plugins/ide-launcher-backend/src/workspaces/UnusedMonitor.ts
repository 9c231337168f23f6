import { LoggerService } from '@backstage/backend-plugin-api';
import { CleanUpRules, deletesAt, isDueForNotice } from './unusedRules';
import { WorkspaceSummary } from './Workspace';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';
import { UnusedNotices } from './WorkspaceNotifications';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** Days are what is counted; looking more often than this finds nothing new. */
const LOOK_EVERY_MS = 10 * 60_000;

/** What an {@link UnusedMonitor} works with. */
export interface UnusedMonitorOptions {
  store: WorkspaceStore;
  lifecycle: Pick<WorkspaceLifecycle, 'delete'>;
  notices: UnusedNotices;
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
    const { logger, notices, store } = this.#options;
    const unusedNoticeAt = now.toISOString();
    // Of several replicas that look at once, one may be late: it finds it started.
    const told = await store.transition(workspace.id, ['Stopped'], {
      unusedNoticeAt,
    });
    const due = deletesAt({ ...workspace, unusedNoticeAt }, rules);
    if (told && due) {
      logger.info(`${workspace.id} is unused and will be deleted`);
      notices.unused(workspace, due);
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
