import { NotAllowedError } from '@backstage/errors';
import { WorkspaceStore } from './WorkspaceStore';

/** How many workspaces one owner may have. */
export interface WorkspaceLimits {
  total: number;
  /** Starting, Running and Stopping together. */
  running: number;
}

/**
 * Holds owners to their limits. Calls of one owner go one after the other, so
 * that many at once cannot all pass the same count.
 */
export class LimitGuard {
  readonly #store: WorkspaceStore;
  readonly #limits: WorkspaceLimits;
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(options: { store: WorkspaceStore; limits: WorkspaceLimits }) {
    this.#store = options.store;
    this.#limits = options.limits;
  }

  /**
   * Runs `action` if one more workspace of `kind` is within the owner's limits.
   *
   * @throws NotAllowedError saying which limit is reached and what to do.
   */
  async within<T>(
    owner: string,
    kind: 'create' | 'start',
    action: () => Promise<T>,
  ): Promise<T> {
    const previous = this.#queues.get(owner) ?? Promise.resolve();
    const turn = previous
      .catch(() => undefined)
      .then(async () => {
        await this.#check(owner, kind);
        return action();
      });
    this.#queues.set(owner, turn);
    try {
      return await turn;
    } finally {
      if (this.#queues.get(owner) === turn) {
        this.#queues.delete(owner);
      }
    }
  }

  async #check(owner: string, kind: 'create' | 'start'): Promise<void> {
    const usage = await this.#store.usage(owner);
    const { total, running } = this.#limits;
    if (kind === 'create' && usage.total >= total) {
      throw new NotAllowedError(
        `You have ${usage.total} of at most ${total} workspaces; delete one to create another`,
      );
    }
    if (usage.running >= running) {
      throw new NotAllowedError(
        `You have ${usage.running} of at most ${running} running workspaces; stop one to start another`,
      );
    }
  }
}
