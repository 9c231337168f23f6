import { isDeepStrictEqual } from 'node:util';
import { ConflictError, NotFoundError } from '@slipway/service-kit';
import { checkStrategies } from './checkStrategies.ts';
import { type Flag, type FlagSettings, settingsOf } from './Flag.ts';
import type { FlagEventType, FlagStore } from './FlagStore.ts';

/** What a new flag is made of. */
export interface NewFlag extends FlagSettings {
  readonly name: string;
  readonly project: string;
}

/** Everything that is done to flags. Each method resolves once it is on disk and seen by clients here. */
export class FlagAdmin {
  readonly #flags: FlagStore;
  readonly #now: () => number;
  readonly #changed: () => Promise<void>;

  /** @param options.changed - has this process follow what was written. */
  constructor(options: {
    flags: FlagStore;
    now: () => number;
    changed: () => Promise<void>;
  }) {
    this.#flags = options.flags;
    this.#now = options.now;
    this.#changed = options.changed;
  }

  list(options: { archived: boolean }): Promise<Flag[]> {
    return this.#flags.list(options);
  }

  /** @throws NotFoundError */
  async get(name: string): Promise<Flag> {
    return (await this.#flags.find(name)) ?? fail(name);
  }

  /**
   * @throws InvalidRequestError when a strategy lacks what it needs.
   * @throws ConflictError when the name is taken, by an archived flag too: clients may
   *   still ask for that one.
   */
  async create(flag: NewFlag, by: string): Promise<Flag> {
    checkStrategies(flag.strategies);
    const created = await this.#flags.transaction(async trx => {
      const taken = await trx.find(flag.name);
      if (taken) {
        throw new ConflictError(
          taken.archivedAt === null
            ? `A flag with the name ${flag.name} exists`
            : `An archived flag has the name ${flag.name}; revive it or choose another name`,
          { field: 'name', constraint: 'unique' },
        );
      }
      const now = this.#now();
      const after = {
        ...flag,
        createdAt: now,
        updatedAt: now,
        archivedAt: null,
      };
      await trx.save({ type: 'feature-created', before: undefined, after, by });
      return after;
    });
    await this.#changed();
    return created;
  }

  /**
   * Changes what is given and keeps the rest; what is so already makes no history.
   *
   * @throws NotFoundError when there is no such flag in use.
   * @throws InvalidRequestError when a strategy lacks what it needs.
   */
  async update(
    name: string,
    changes: Partial<FlagSettings>,
    by: string,
  ): Promise<Flag> {
    checkStrategies(changes.strategies ?? []);
    return this.#change(name, {
      type: 'feature-updated',
      by,
      apply: flag =>
        flag.archivedAt === null ? { ...flag, ...changes } : fail(name),
    });
  }

  /** Takes a flag away from clients; its history and its name stay. @throws NotFoundError */
  async archive(name: string, by: string): Promise<Flag> {
    return this.#change(name, {
      type: 'feature-archived',
      by,
      apply: flag => ({
        ...flag,
        archivedAt: flag.archivedAt ?? this.#now(),
      }),
    });
  }

  /** Takes a flag out of the archive, off. @throws NotFoundError */
  async revive(name: string, by: string): Promise<Flag> {
    return this.#change(name, {
      type: 'feature-revived',
      by,
      apply: flag =>
        flag.archivedAt === null
          ? flag
          : { ...flag, archivedAt: null, enabled: false },
    });
  }

  async #change(
    name: string,
    change: {
      type: FlagEventType;
      by: string;
      apply: (flag: Flag) => Flag;
    },
  ): Promise<Flag> {
    const { type, by, apply } = change;
    const changed = await this.#flags.transaction(async trx => {
      const before = (await trx.find(name)) ?? fail(name);
      const after = { ...apply(before), updatedAt: this.#now() };
      if (isSame(before, after)) {
        return before;
      }
      await trx.save({ type, before, after, by });
      return after;
    });
    await this.#changed();
    return changed;
  }
}

function isSame(before: Flag, after: Flag): boolean {
  return (
    before.archivedAt === after.archivedAt &&
    isDeepStrictEqual(settingsOf(before), settingsOf(after))
  );
}

function fail(name: string): never {
  throw new NotFoundError(`There is no flag ${name}`);
}
