import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { type Flag, settingsOf, stateOf, traitsOf } from '../model/Flag.ts';
import type { NoticeEvent } from '../model/Notice.ts';
import {
  findFlag,
  flagColumns,
  joined,
  listFlags,
  stateColumns,
  toFlags,
} from './flagRows.ts';
import { writeHistory } from './History.ts';
import {
  type FlagRevision,
  lockRevision,
  raiseRevision,
  readRevisions,
} from './revisions.ts';
import { followStages, type StageChange } from './StageStore.ts';

/** The type of a change, as in Unleash's events; webhooks use the same names. */
export type FlagEventType =
  | 'feature-created'
  | 'feature-updated'
  | 'feature-archived'
  | 'feature-revived';

/** A change of one flag, with its previous state. */
export interface FlagChange {
  readonly type: FlagEventType;
  readonly before: Flag | undefined;
  readonly after: Flag;
  /** The environment that was changed, or from which shared settings were changed. */
  readonly environment: string;
  /** The caller who made the change: `user:default/ada`, `token:ci` or `configuration`. */
  readonly by: string;
  /** An event whose notice already covers this change, e.g. that of the schedule that made it. */
  readonly includedIn?: NoticeEvent;
}

/** Enqueues webhooks and notices about changes, in the transactions that store them. */
export interface TellFlags {
  change(trx: Knex.Transaction, change: FlagChange): Promise<void>;
  /** Reports all changes of one import; there is at least one. */
  imported(
    trx: Knex.Transaction,
    changes: readonly FlagChange[],
  ): Promise<void>;
}

/** One transaction over flags, isolated from other writers. */
export interface FlagTransaction {
  /** Finds a flag, including archived ones. */
  find(name: string): Promise<Flag | undefined>;
  /** Lists all flags by name, including archived ones. */
  list(): Promise<Flag[]>;
  /**
   * Stores the flag, its history and the webhook for the change.
   *
   * @returns the flag with its new revisions.
   */
  save(change: FlagChange): Promise<Flag>;
}

/** The flags that changed since a revision. */
export interface FlagDelta extends FlagRevision {
  /** Includes archived ones, so that followers remove them. */
  readonly flags: readonly Flag[];
}

interface FlagStoreOptions {
  database: Database;
  tell: TellFlags;
}

/** Stores flags, in all environments, in the service's database. */
export class FlagStore {
  readonly #options: FlagStoreOptions;

  constructor(options: FlagStoreOptions) {
    this.#options = options;
  }

  /** Resolves once everything is committed; rolls back if `work` throws. */
  transaction<T>(
    work: (flags: FlagTransaction, trx: Knex.Transaction) => Promise<T>,
  ): Promise<T> {
    const { database } = this.#options;
    return database.transaction(async trx => {
      await lockRevision(trx, { subject: 'flags', client: database.client });
      return work(
        this.#within(trx, change => this.#options.tell.change(trx, change)),
        trx,
      );
    });
  }

  /**
   * Reads and writes flags in a transaction that has locked the revision, and reports the changes
   * together.
   */
  async import<T>(
    trx: Knex.Transaction,
    work: (flags: FlagTransaction) => Promise<T>,
  ): Promise<T> {
    const changes: FlagChange[] = [];
    const result = await work(
      this.#within(trx, async change => {
        changes.push(change);
      }),
    );
    if (changes.length > 0) {
      await this.#options.tell.imported(trx, changes);
    }
    return result;
  }

  #within(
    trx: Knex.Transaction,
    tell: (change: FlagChange) => Promise<void>,
  ): FlagTransaction {
    return {
      find: name => findFlag(trx, name),
      list: () => listFlags(trx, {}),
      save: async change => {
        const saved = await this.#save(trx, change);
        await tell({ ...change, after: saved });
        return saved;
      },
    };
  }

  find(name: string): Promise<Flag | undefined> {
    return findFlag(this.#options.database.knex, name);
  }

  /** Lists the flags in use, or the archived ones, by name. */
  list(query: { archived: boolean; project?: string }): Promise<Flag[]> {
    return listFlags(this.#options.database.knex, query);
  }

  /** Reads the flags that changed after a revision; some may be newer than the returned revision. */
  async changedSince(revision: number): Promise<FlagDelta> {
    const { knex } = this.#options.database;
    // Read before the rows, so that a concurrent change is read twice rather than missed.
    const { flags: state } = await readRevisions(knex);
    if (state.revision === revision) {
      return { ...state, flags: [] };
    }
    const rows = await joined(knex).where('flags.revision', '>', revision);
    return { ...state, flags: toFlags(rows) };
  }

  async #save(trx: Knex.Transaction, change: FlagChange): Promise<Flag> {
    const { type, before, after, environment, by } = change;
    const latest = await raiseRevision(trx, 'flags');
    const isShared = !before || isSharedChange(before, after);
    const changed = Object.keys(after.states).filter(
      name =>
        !before ||
        !isDeepStrictEqual(stateOf(before, name), stateOf(after, name)),
    );
    const saved: Flag = {
      ...after,
      revisions: {
        latest,
        shared: isShared ? latest : before.revisions.shared,
        states: {
          ...before?.revisions.states,
          ...Object.fromEntries(changed.map(name => [name, latest])),
        },
        left: projectsLeft(before, after, latest),
      },
    };
    await trx('flags').insert(flagColumns(saved)).onConflict('name').merge();
    if (changed.length > 0) {
      await trx('flag_environments')
        .insert(changed.map(name => stateColumns(saved, name)))
        .onConflict(['flag_name', 'environment'])
        .merge();
    }
    const becomes = stageChange(change);
    if (becomes) {
      await followStages(trx, {
        name: saved.name,
        at: saved.updatedAt,
        becomes,
      });
    }
    await writeHistory(trx, {
      type,
      subject: saved.name,
      environment,
      createdBy: by,
      createdAt: saved.updatedAt,
      ...recorded(before, saved, environment),
    });
    return saved;
  }
}

/** Returns what the history records about a change: the settings, and the project of a moved flag. */
function recorded(
  before: Flag | undefined,
  after: Flag,
  environment: string,
): { before?: object; after: object } {
  const isMoved = before && before.project !== after.project;
  const describe = (flag: Flag) => ({
    ...settingsOf(flag, environment),
    ...(isMoved && { project: flag.project }),
  });
  return { before: before && describe(before), after: describe(after) };
}

/** Returns the revisions at which a flag left its earlier projects, by project. */
function projectsLeft(
  before: Flag | undefined,
  after: Flag,
  latest: number,
): Record<string, number> {
  const { [after.project]: _returned, ...left } = {
    ...before?.revisions.left,
    ...(before && { [before.project]: latest }),
  };
  return left;
}

/** Checks whether a change is visible in all environments. */
function isSharedChange(before: Flag, after: Flag): boolean {
  return (
    before.archivedAt !== after.archivedAt ||
    before.project !== after.project ||
    !isDeepStrictEqual(traitsOf(before), traitsOf(after))
  );
}

/** Returns how a change affects the stage of a flag; undefined if it does not. */
function stageChange({
  type,
  before,
  after,
}: FlagChange): StageChange | undefined {
  if (type === 'feature-revived') {
    return 'restored';
  }
  if (Boolean(before?.stale) === after.stale) {
    return undefined;
  }
  return after.stale ? 'completed' : 'incomplete';
}
