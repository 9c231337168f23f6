import { chunksOf, type Database, ForbiddenError } from '@slipway/service-kit';
import type { FlagState, FlagTraits } from '../model/Flag.ts';
import { flagColumns } from './flagRows.ts';
import { writeHistory } from './History.ts';
import { lockRevision, noteDeletion, raiseRevision } from './revisions.ts';
import { recordStages } from './StageStore.ts';

const CHUNK = 400;
/** Tables with rows about a flag, in addition to `flags`. */
const TABLES = [
  'flag_environments',
  'usage',
  'usage_variants',
  'change_requests',
  'schedules',
  'code_references',
  'flag_issues',
  'flag_stages',
] as const;

/** A change of a flag's state in the past, in one environment. */
interface PastChange {
  readonly environment: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly by: string;
  readonly enabled: boolean;
}

/** The number of times that a flag was on and off within an hour. */
interface PastUsage {
  readonly environment: string;
  readonly at: number;
  readonly appName: string;
  readonly yes: number;
  readonly no: number;
}

/** A flag with its history before the import. */
export interface PastFlag extends FlagTraits {
  readonly name: string;
  /** Its rules, the same in every environment. */
  readonly rules: Omit<FlagState, 'enabled'>;
  readonly createdAt: number;
  readonly createdBy: string;
  /** Oldest first. */
  readonly changes: readonly PastChange[];
  readonly usage: readonly PastUsage[];
}

const HOUR_MS = 3_600_000;

/** Imports flags with their history, and deletes archived flags with theirs. */
export class FlagPast {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds flags that do not exist, without notifications.
   * @param options.environment - the environment that every flag has a state in, even if it never
   *   changed there.
   * @returns the number of added flags.
   * @throws ForbiddenError if one of them would be on in a protected environment.
   */
  async add(
    flags: readonly PastFlag[],
    {
      project,
      environment,
      protectedEnvironments,
    }: {
      project: string;
      environment: string;
      protectedEnvironments: readonly string[];
    },
  ): Promise<number> {
    const { client } = this.#database;
    return this.#database.transaction(async trx => {
      await lockRevision(trx, { subject: 'flags', client });
      const added: PastFlag[] = [];
      for (const flag of flags) {
        const latest = await raiseRevision(trx, 'flags');
        const rows = await trx('flags')
          .insert(
            flagColumns({
              ...flag,
              project,
              updatedAt: flag.changes.at(-1)?.at ?? flag.createdAt,
              archivedAt: null,
              revisions: { latest, shared: latest },
            }),
          )
          .onConflict('name')
          .ignore()
          .returning('name');
        if (rows.length > 0) {
          added.push(flag);
          assertOff(flag, protectedEnvironments);
          const changed = flag.changes.map(change => change.environment);
          await trx('flag_environments').insert(
            [...new Set([environment, ...changed])].map(each => ({
              flag_name: flag.name,
              environment: each,
              enabled: isEnabledIn(each, flag.changes),
              strategies: JSON.stringify(flag.rules.strategies),
              variants: JSON.stringify(flag.rules.variants),
              revision: latest,
            })),
          );
          for (const chunk of chunksOf(usageRows(flag), CHUNK)) {
            await trx('usage').insert(chunk);
          }
        }
      }
      // The history is read in the order in which it was written.
      const events = added
        .flatMap(flag =>
          eventsOf(flag, environment).map(event => ({
            ...event,
            subject: flag.name,
          })),
        )
        .sort((one, other) => one.createdAt - other.createdAt);
      for (const event of events) {
        await writeHistory(trx, event);
      }
      await recordStages(trx, { span: 'hour', from: 0 });
      return added.length;
    });
  }

  /** Permanently deletes the archived flags of a project. @returns the number of deleted flags. */
  async deleteArchived(project: string): Promise<number> {
    const { client } = this.#database;
    return this.#database.transaction(async trx => {
      // Locked, so that no one restores one of them in the meantime.
      await lockRevision(trx, { subject: 'flags', client });
      const names: string[] = await trx('flags')
        .where({ project })
        .whereNotNull('archived_at')
        .pluck('name');
      for (const chunk of chunksOf(names, CHUNK)) {
        for (const table of TABLES) {
          await trx(table).whereIn('flag_name', chunk).delete();
        }
        await trx('history').whereIn('subject', chunk).delete();
        await trx('flags').whereIn('name', chunk).delete();
      }
      if (names.length > 0) {
        await noteDeletion(trx);
      }
      return names.length;
    });
  }
}

function assertOff(
  { name, changes }: PastFlag,
  environments: readonly string[],
): void {
  const on = environments.find(each => isEnabledIn(each, changes));
  if (on !== undefined) {
    throw new ForbiddenError(
      `${name} would be on in ${on}, which is protected: import it switched off there`,
    );
  }
}

/** Returns whether a flag is on in an environment after its changes. */
function isEnabledIn(
  environment: string,
  changes: readonly PastChange[],
): boolean {
  return (
    changes.findLast(change => change.environment === environment)?.enabled ??
    false
  );
}

/** Builds the history of a flag: its creation, in the given environment, and its changes. */
function eventsOf(flag: PastFlag, environment: string) {
  const { description, type, stale, impressionData } = flag;
  const { dependencies, tags, links, rules } = flag;
  const settings = (enabled: boolean) => ({
    description,
    type,
    stale,
    impressionData,
    dependencies,
    tags,
    links,
    ...rules,
    enabled,
  });
  const created = {
    type: 'feature-created',
    createdBy: flag.createdBy,
    createdAt: flag.createdAt,
    after: settings(false),
    environment,
  };
  return [
    created,
    ...flag.changes.map((change, index) => ({
      type: 'feature-updated',
      createdBy: change.by,
      createdAt: change.at,
      before: settings(
        isEnabledIn(change.environment, flag.changes.slice(0, index)),
      ),
      after: settings(change.enabled),
      environment: change.environment,
    })),
  ];
}

function usageRows({ name, usage }: PastFlag) {
  const rows = usage.map(({ environment, at, appName, yes, no }) => ({
    flag_name: name,
    environment,
    span: 'hour',
    starts_at: at - (at % HOUR_MS),
    app_name: appName,
    yes,
    no,
  }));
  return [
    ...new Map(
      rows.map(row => [
        `${row.environment} ${row.starts_at} ${row.app_name}`,
        row,
      ]),
    ).values(),
  ];
}
