import { isDeepStrictEqual } from 'node:util';
import { ConflictError, NotFoundError } from '@slipway/service-kit';
import { type Flag, type FlagSettings, settingsOf } from '../model/Flag.ts';
import type { FlagEventType, FlagStore } from '../storage/FlagStore.ts';
import type { FeatureFlagsConfig } from '../config.ts';
import { checkRules } from './checkRules.ts';

/** A flag that is to be created. */
export interface NewFlag extends FlagSettings {
  readonly name: string;
  readonly project: string;
}

interface FlagAdminOptions {
  flags: FlagStore;
  now: () => number;
  /** Has this process follow what was written. */
  changed: () => Promise<void>;
}

/** Changes flags. Each method resolves once it is on disk and seen by clients here. */
export class FlagAdmin {
  readonly #options: FlagAdminOptions;

  constructor(options: FlagAdminOptions) {
    this.#options = options;
  }

  list(options: { archived: boolean }): Promise<Flag[]> {
    return this.#options.flags.list(options);
  }

  /** @throws NotFoundError */
  async get(name: string): Promise<Flag> {
    return (await this.#options.flags.find(name)) ?? fail(name);
  }

  /**
   * @throws InvalidRequestError when a rule would mean something else to SDKs.
   * @throws ConflictError when the name is taken, by an archived flag too: clients may
   *   still ask for that one.
   */
  async create(flag: NewFlag, by: string): Promise<Flag> {
    checkRules(flag);
    const created = await this.#options.flags.transaction(async trx => {
      const taken = await trx.find(flag.name);
      if (taken) {
        throw new ConflictError(
          taken.archivedAt === null
            ? `A flag with the name ${flag.name} exists`
            : `An archived flag has the name ${flag.name}; revive it or choose another name`,
          { field: 'name', constraint: 'unique' },
        );
      }
      const now = this.#options.now();
      const after = {
        ...flag,
        createdAt: now,
        updatedAt: now,
        archivedAt: null,
      };
      await trx.save({ type: 'feature-created', before: undefined, after, by });
      return after;
    });
    await this.#options.changed();
    return created;
  }

  /**
   * Changes what is given and keeps the rest; what is so already makes no history.
   *
   * @throws NotFoundError when there is no such flag in use.
   * @throws InvalidRequestError when a rule would mean something else to SDKs.
   */
  async update(
    name: string,
    changes: Partial<FlagSettings>,
    by: string,
  ): Promise<Flag> {
    checkRules(changes);
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
        archivedAt: flag.archivedAt ?? this.#options.now(),
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
    const changed = await this.#options.flags.transaction(async trx => {
      const before = (await trx.find(name)) ?? fail(name);
      const after = { ...apply(before), updatedAt: this.#options.now() };
      if (isSame(before, after)) {
        return before;
      }
      await trx.save({ type, before, after, by });
      return after;
    });
    await this.#options.changed();
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
  throw new NotFoundError(`Flag ${name} not found`);
}

/** Creates the flags of the configuration that are not there; what people made of one stays. */
export async function createConfiguredFlags(
  flags: FlagAdmin,
  configured: FeatureFlagsConfig['flags'],
): Promise<void> {
  for (const flag of configured) {
    try {
      await flags.create(
        {
          ...flag,
          project: 'default',
          stale: false,
          impressionData: false,
          strategies: [{ name: 'default', parameters: {} }],
          variants: [],
        },
        'configuration',
      );
    } catch (error) {
      if (!(error instanceof ConflictError)) {
        throw error;
      }
    }
  }
}
