import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  addRecords,
  type ImpactKind,
  type ImpactRecord,
} from '../model/ImpactMetric.ts';

/** PostgreSQL returns bigints as text. */
interface Row {
  name: string;
  environment: string;
  starts_at: number | string;
  kind: ImpactKind;
  labels: string;
  sum: number;
  count: number | string;
  last: number;
  buckets: string;
}

/** The tables, with the columns of their keys. */
const MINUTES = {
  table: 'impact_metrics',
  key: ['name', 'environment', 'starts_at', 'labels'],
} as const;
const TOTALS = {
  table: 'impact_totals',
  key: ['name', 'environment', 'labels'],
} as const;

/** Maximum number of series. It has to be limited, because clients, some of them public, choose labels. */
const MAX_SERIES = 10_000;

/** Stores impact metrics by minute, and their totals, in the service's database. */
export class ImpactStore {
  readonly #database: Database;
  readonly #most: number;

  /** @param options.most - maximum number of series. */
  constructor(database: Database, { most = MAX_SERIES } = {}) {
    this.#database = database;
    this.#most = most;
  }

  /**
   * Adds records to the stored ones, all or nothing.
   *
   * @returns the number of records that were dropped because they would add too many series.
   */
  async add(records: readonly ImpactRecord[]): Promise<number> {
    return this.#database.transaction(async trx => {
      const [{ total }] = await trx(TOTALS.table).count({ total: '*' });
      let room = this.#most - Number(total);
      let dropped = 0;
      // Sorted the same way in every replica to avoid deadlocks.
      for (const record of [...records].sort(byKey)) {
        const isKnown = await this.#isKnown(trx, record);
        if (!isKnown && room <= 0) {
          dropped += 1;
          continue;
        }
        room -= isKnown ? 0 : 1;
        await this.#addTo(MINUTES, trx, record);
        await this.#addTo(TOTALS, trx, record);
      }
      return dropped;
    });
  }

  /** Reads the total of every series since its first report, by name. */
  async totals(): Promise<ImpactRecord[]> {
    const rows = await this.#database
      .knex<Row>(TOTALS.table)
      .orderBy([...TOTALS.key])
      .limit(this.#most);
    return rows.map(toRecord);
  }

  /** Reads all series of a metric since a time, in order of time. */
  async read(query: {
    name: string;
    environment: string;
    from: number;
  }): Promise<ImpactRecord[]> {
    const { name, environment, from } = query;
    const rows = await this.#database
      .knex<Row>('impact_metrics')
      .where({ name, environment })
      .where('starts_at', '>=', from)
      .orderBy('starts_at');
    return rows.map(toRecord);
  }

  /** Lists the metrics of an environment since a time, by name. */
  async names(query: {
    environment: string;
    from: number;
  }): Promise<{ name: string; kind: ImpactKind }[]> {
    return this.#database
      .knex<Row>('impact_metrics')
      .distinct('name', 'kind')
      .where({ environment: query.environment })
      .where('starts_at', '>=', query.from)
      .orderBy('name')
      .limit(500);
  }

  /** Deletes minutes and series older than a time. */
  async purge(options: {
    minutesBefore: number;
    seriesBefore: number;
  }): Promise<void> {
    const { minutesBefore, seriesBefore } = options;
    await this.#database.transaction(async trx => {
      await trx(MINUTES.table).where('starts_at', '<', minutesBefore).delete();
      await trx(TOTALS.table).where('starts_at', '<', seriesBefore).delete();
    });
  }

  async #isKnown(
    trx: Knex.Transaction,
    { name, environment, labels }: ImpactRecord,
  ): Promise<boolean> {
    const row = await trx(TOTALS.table)
      .where({ name, environment, labels })
      .first('name');
    return row !== undefined;
  }

  async #addTo(
    { table, key }: typeof MINUTES | typeof TOTALS,
    trx: Knex.Transaction,
    record: ImpactRecord,
  ): Promise<void> {
    const row = toRow(record);
    const inserted: unknown[] = await trx<Row>(table)
      .insert(row)
      .onConflict([...key])
      .ignore()
      .returning('name');
    if (inserted.length > 0) {
      return;
    }
    const place = Object.fromEntries(key.map(name => [name, row[name]]));
    const held = trx<Row>(table).where(place).first();
    if (this.#database.client === 'postgres') {
      held.forUpdate();
    }
    const before = toRecord((await held)!);
    await trx<Row>(table)
      .where(place)
      .update(
        toRow(
          before.kind === record.kind ? addRecords(before, record) : record,
        ),
      );
  }
}

/** Returns the key of a record: its minute and series. */
export function keyOf(record: ImpactRecord): string {
  const { name, environment, startsAt, labels } = record;
  return JSON.stringify([name, environment, startsAt, labels]);
}

function byKey(one: ImpactRecord, other: ImpactRecord): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function toRow(record: ImpactRecord): Row {
  const { startsAt, buckets, ...rest } = record;
  return { ...rest, starts_at: startsAt, buckets: JSON.stringify(buckets) };
}

function toRecord(row: Row): ImpactRecord {
  const { starts_at: startsAt, count, buckets, ...rest } = row;
  return {
    ...rest,
    startsAt: Number(startsAt),
    count: Number(count),
    buckets: JSON.parse(buckets),
  };
}
