import { chunksOf, type Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  addVariants,
  purgeVariants,
  readVariants,
  type VariantCounts,
} from './usageVariants.ts';

/** The spans over which usage is summed. */
export type Span = 'minute' | 'hour';

export const SPAN_MS: Readonly<Record<Span, number>> = {
  minute: 60_000,
  hour: 3_600_000,
};

/** The number of times that a flag was on and off. */
export interface Tally {
  readonly yes: number;
  readonly no: number;
}

/** The usage of one flag by one application within one span. */
export interface UsageRecord extends Tally {
  readonly flag: string;
  readonly environment: string;
  readonly span: Span;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
  readonly appName: string;
  /** Evaluations by variant; only stored by hour. */
  readonly variants?: VariantCounts;
}

/** Usage of a flag by one application in one environment. */
export interface ApplicationUsage extends Tally {
  readonly appName: string;
  readonly environment: string;
  /** The hour of the latest evaluation; milliseconds since the Unix epoch. */
  readonly lastHour: number;
  readonly variants: VariantCounts;
}

/** The usage to sum, and the periods of the sums. */
interface UsageQuery {
  /** Undefined for the sum of all environments. */
  readonly environment: string | undefined;
  /** The span of the stored records that are summed. */
  readonly span: Span;
  readonly from: number;
  /** The length of a period in milliseconds: a multiple of the span, which is the default. */
  readonly length?: number;
}

/** Usage of a flag within one period by all applications. */
export interface UsagePoint extends Tally {
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
}

/** When a flag was last evaluated in an environment. */
export interface LastUse {
  readonly flag: string;
  readonly environment: string;
  /** The start of the hour; milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Rows in one statement, within the limits of both databases. */
const CHUNK = 500;

interface PointRow {
  flag_name: string;
  period: number | string;
  yes: number | string;
  no: number | string;
}

/** Stores usage in the service's database, summed by minute and by hour. */
export class UsageStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds usage to the stored counts, all or nothing; unknown flags are ignored. */
  async add(records: readonly UsageRecord[]): Promise<void> {
    await this.#database.transaction(async trx => {
      const known = await knownFlags(trx, records);
      const rows = records
        .filter(({ flag }) => known.has(flag))
        .map(record => ({
          flag_name: record.flag,
          environment: record.environment,
          span: record.span,
          starts_at: record.startsAt,
          app_name: record.appName,
          yes: record.yes,
          no: record.no,
        }));
      for (const chunk of chunksOf(rows, CHUNK)) {
        await trx('usage')
          .insert(chunk)
          .onConflict([
            'flag_name',
            'environment',
            'span',
            'starts_at',
            'app_name',
          ])
          .merge({
            yes: trx.raw('?? + ??', ['usage.yes', 'excluded.yes']),
            no: trx.raw('?? + ??', ['usage.no', 'excluded.no']),
          });
      }
      await addVariants(
        trx,
        records.filter(({ flag }) => known.has(flag)),
      );
    });
  }

  /** Reads the usage of a flag in order of time, without empty periods. */
  async series({
    flag,
    ...query
  }: UsageQuery & { flag: string }): Promise<UsagePoint[]> {
    const rows = await this.#points(query).where({ flag_name: flag });
    return rows.map(toPoint);
  }

  /** Reads the usage of every flag with usage, by name. */
  async seriesOfAll(query: UsageQuery): Promise<Map<string, UsagePoint[]>> {
    const series = new Map<string, UsagePoint[]>();
    for (const row of await this.#points(query)) {
      const points = series.get(row.flag_name) ?? [];
      points.push(toPoint(row));
      series.set(row.flag_name, points);
    }
    return series;
  }

  /** Lists the names of the applications that have requested a flag since a time, sorted. */
  async applications(options: {
    flag: string;
    environment: string | undefined;
    from: number;
  }): Promise<string[]> {
    const { flag, environment } = options;
    const rows: { app_name: string }[] = await this.#database
      .knex('usage')
      .distinct('app_name')
      .where({ flag_name: flag, span: 'hour', ...inPlace(environment) })
      .where('starts_at', '>=', options.from)
      .orderBy('app_name');
    return rows.map(({ app_name }) => app_name);
  }

  /** Reads the usage of a flag since a time by application and environment. */
  async byApplication(options: {
    flag: string;
    from: number;
  }): Promise<ApplicationUsage[]> {
    const { flag, from } = options;
    const { knex } = this.#database;
    const [rows, variantsOf] = await Promise.all([
      knex('usage')
        .where({ flag_name: flag, span: 'hour' })
        .where('starts_at', '>=', from)
        .groupBy('app_name', 'environment')
        .orderBy(['app_name', 'environment'])
        .sum({ yes: 'yes', no: 'no' })
        .max({ last_hour: 'starts_at' })
        .select<ApplicationRow[]>('app_name', 'environment'),
      readVariants(knex, { flag, from }),
    ]);
    return rows.map(row => ({
      appName: row.app_name,
      environment: row.environment,
      yes: Number(row.yes),
      no: Number(row.no),
      lastHour: Number(row.last_hour),
      variants: variantsOf(row),
    }));
  }

  /** Lists when each flag was last evaluated in each environment, as far back as usage is stored. */
  async lastUses(): Promise<LastUse[]> {
    const rows: {
      flag_name: string;
      environment: string;
      at: number | string;
    }[] = await this.#database
      .knex('usage')
      .where({ span: 'hour' })
      .groupBy('flag_name', 'environment')
      .select('flag_name', 'environment')
      .max({ at: 'starts_at' });
    return rows.map(({ flag_name, environment, at }) => ({
      flag: flag_name,
      environment,
      at: Number(at),
    }));
  }

  /** Deletes spans that start before a time. @returns the number of deleted records. */
  async purge(options: { span: Span; before: number }): Promise<number> {
    const { span, before } = options;
    return this.#database.transaction(async trx => {
      if (span === 'hour') {
        await purgeVariants(trx, before);
      }
      return trx('usage')
        .where({ span })
        .where('starts_at', '<', before)
        .delete();
    });
  }

  #points({ environment, span, from, length = SPAN_MS[span] }: UsageQuery) {
    const { knex } = this.#database;
    // Inlined: with a parameter, PostgreSQL would not match the selected expression to that of GROUP BY.
    const period = `starts_at - starts_at % ${Math.trunc(length)}`;
    return knex('usage')
      .sum({ yes: 'yes', no: 'no' })
      .where({ span, ...inPlace(environment) })
      .where('starts_at', '>=', from)
      .groupBy('flag_name', knex.raw(period))
      .orderBy(['flag_name', 'period'])
      .select<PointRow[]>('flag_name', knex.raw(`${period} AS period`));
  }
}

function inPlace(environment: string | undefined): { environment?: string } {
  return environment === undefined ? {} : { environment };
}

interface ApplicationRow {
  app_name: string;
  environment: string;
  yes: number | string;
  no: number | string;
  last_hour: number | string;
}

async function knownFlags(
  trx: Knex.Transaction,
  records: readonly UsageRecord[],
): Promise<Set<string>> {
  const names = [...new Set(records.map(({ flag }) => flag))];
  const known = new Set<string>();
  for (const chunk of chunksOf(names, CHUNK)) {
    const rows: { name: string }[] = await trx('flags')
      .whereIn('name', chunk)
      .select('name');
    rows.forEach(({ name }) => known.add(name));
  }
  return known;
}

function toPoint({ period, yes, no }: PointRow): UsagePoint {
  return { startsAt: Number(period), yes: Number(yes), no: Number(no) };
}
