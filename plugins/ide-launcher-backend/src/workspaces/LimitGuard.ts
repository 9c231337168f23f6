import { NotAllowedError } from '@backstage/errors';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** The queue of all owners. No owner is called so: theirs are entity refs and subjects. */
const EVERYONE = '*';

/** How many workspaces one owner may have. */
export interface WorkspaceLimits {
  total: number;
  /** Starting, Running and Stopping together. */
  running: number;
  /** Of all owners together; null for no limit. */
  everyone: { total: number | null; running: number | null };
}

/**
 * Holds owners to their limits. Calls go one after the other, those of one
 * owner or, where all owners share a limit, all of them: many at once must not
 * all pass the same count.
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
    const { everyone } = this.#limits;
    const shared = everyone.total !== null || everyone.running !== null;
    const queue = shared ? EVERYONE : owner;
    const previous = this.#queues.get(queue) ?? Promise.resolve();
    const turn = previous
      .catch(() => undefined)
      .then(async () => {
        await this.#check(owner, kind);
        return action();
      });
    this.#queues.set(queue, turn);
    try {
      return await turn;
    } finally {
      if (this.#queues.get(queue) === turn) {
        this.#queues.delete(queue);
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
    await this.#checkEveryone(kind);
  }

  async #checkEveryone(kind: 'create' | 'start'): Promise<void> {
    const { total, running } = this.#limits.everyone;
    if (total === null && running === null) {
      return;
    }
    const usage = await this.#store.usage();
    if (kind === 'create' && total !== null && usage.total >= total) {
      throw new NotAllowedError(
        `The platform has room for ${total} workspaces and all are in use; delete one or ask a platform admin for more`,
      );
    }
    if (running !== null && usage.running >= running) {
      throw new NotAllowedError(
        `The platform has room for ${running} running workspaces and all are in use; stop one or try again later`,
      );
    }
  }
}
