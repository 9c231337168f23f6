import { LoggerService } from '@backstage/backend-plugin-api';
import { stopsAt } from './idleRules';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** Stops workspaces that nobody uses, and keeps the times of last use. */
export class IdleMonitor {
  readonly #store: WorkspaceStore;
  readonly #lifecycle: Pick<WorkspaceLifecycle, 'stop'>;
  readonly #logger: LoggerService;
  readonly #idleTimeoutMinutes: number | null;
  readonly #now: () => Date;
  readonly #lastUsed = new Map<string, string>();

  constructor(options: {
    store: WorkspaceStore;
    lifecycle: Pick<WorkspaceLifecycle, 'stop'>;
    logger: LoggerService;
    /** null: never stop by itself. */
    idleTimeoutMinutes: number | null;
    now?: () => Date;
  }) {
    this.#store = options.store;
    this.#lifecycle = options.lifecycle;
    this.#logger = options.logger;
    this.#idleTimeoutMinutes = options.idleTimeoutMinutes;
    this.#now = options.now ?? (() => new Date());
  }

  /** Notes that somebody uses a workspace. Cheap: called for every request to an IDE. */
  used(workspaceId: string): void {
    this.#lastUsed.set(workspaceId, this.#now().toISOString());
  }

  /** Writes the noted times of use. */
  async flush(): Promise<void> {
    for (const [id, lastUsedAt] of [...this.#lastUsed]) {
      await this.#store.update(id, { lastUsedAt });
      // Until it is written it is kept, and what was noted meanwhile is for the next time.
      if (this.#lastUsed.get(id) === lastUsedAt) {
        this.#lastUsed.delete(id);
      }
    }
  }

  /** Writes the noted times of use and stops what has been idle for too long. */
  async check(): Promise<void> {
    await this.flush();
    const now = this.#now();
    for (const workspace of await this.#store.listByStatus(['Running'])) {
      const deadline = stopsAt(workspace, this.#idleTimeoutMinutes);
      if (deadline && deadline <= now) {
        this.#logger.info(`Stopping ${workspace.id}: unused`);
        await this.#lifecycle.stop(workspace, {
          reason: `Stopped after ${
            this.#idleTimeoutMinutes
          } minutes without use`,
        });
      }
    }
  }
}
