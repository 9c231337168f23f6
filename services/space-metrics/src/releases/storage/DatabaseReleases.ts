import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { closedUntil, type LocalDay } from '../../periods/LocalDay.ts';
import { countRevision, insertRows } from '../../storage/sql.ts';
import { releaseSource } from './releaseBatches.ts';
import { type Source, sourcesOf } from './sources.ts';

/** A person who joined and has since made a first commit. */
export interface Joiner {
  /** The number that identifies the person in other tables. */
  readonly person: number;
  readonly team: string;
  /** The day of the first commit. */
  readonly day: LocalDay;
  readonly hours: number;
}

/** Name of the setting that records up to which day each table has been released. */
const CLOSED = 'closed_cycles';

type Closed = Readonly<Record<string, LocalDay>>;

/** Options of {@link DatabaseReleases}. */
export interface DatabaseReleasesOptions {
  database: Database;
  minimumGroupSize: number;
  /** Days from one pulse survey to the next. */
  pulseDays: number;
  today: () => LocalDay;
  /** Returns all people with a known first commit. */
  joiners: () => Promise<readonly Joiner[]>;
}

/**
 * Releases numbers once per cycle, in immutable batches; see docs/privacy.md. The first read on any
 * replica after the end of a cycle triggers its release.
 */
export class DatabaseReleases {
  readonly #options: DatabaseReleasesOptions;
  readonly #sources: readonly Source[];
  #closing?: { today: LocalDay; done: Promise<void> };

  constructor(options: DatabaseReleasesOptions) {
    this.#options = options;
    this.#sources = sourcesOf(options);
  }

  /** Releases everything from closed cycles that may be shown; resolves once it is released. */
  closeCycles(): Promise<void> {
    const today = this.#options.today();
    if (this.#closing?.today !== today) {
      const done = this.#close(today);
      this.#closing = { today, done };
      done.catch(() => {
        this.#closing = undefined;
      });
    }
    return this.#closing.done;
  }

  async #close(today: LocalDay): Promise<void> {
    const closed: Closed = Object.fromEntries(
      this.#sources.map(({ table, cycleDays }) => [
        table,
        closedUntil(today, cycleDays),
      ]),
    );
    const { database, minimumGroupSize: minimum, joiners } = this.#options;
    const known = await readClosed(database.knex);
    if (this.#sources.every(({ table }) => known[table] >= closed[table])) {
      return;
    }
    const found = await joiners();
    await database.transaction(async trx => {
      // A concurrent replica waits here, and then finds everything released.
      await countRevision(trx, 'batches');
      const before = await readClosed(trx);
      const due = this.#sources.filter(
        ({ table }) => !(before[table] >= closed[table]),
      );
      if (due.length === 0) {
        return;
      }
      await withdrawBatches(trx);
      await addJoiners(
        trx,
        found.filter(({ day }) => day < closed.joiners),
      );
      for (const source of due) {
        const until = closed[source.table];
        await releaseSource(trx, source, { until, minimum });
      }
      const value = JSON.stringify({ ...before, ...closed });
      await trx('settings')
        .insert({ name: CLOSED, value })
        .onConflict('name')
        .merge();
    });
  }
}

async function readClosed(knex: Knex): Promise<Closed> {
  const row = await knex('settings').where({ name: CLOSED }).first('value');
  return row ? JSON.parse(row.value) : {};
}

/**
 * Marks the batches with records of a person as withdrawn, so that they are deleted when the next
 * cycle closes. A batch is withdrawn as a whole, because the difference without one person would
 * reveal that person's answer.
 *
 * @param batches - batches of the person's records, determined before the records are deleted.
 */
export async function markWithdrawn(
  trx: Knex.Transaction,
  batches: readonly number[],
): Promise<void> {
  await insertRows(trx, {
    table: 'withdrawn_batches',
    columns: { batch: 'INTEGER' },
    rows: [...new Set(batches)].sort((a, b) => a - b).map(batch => [batch]),
    then: 'ON CONFLICT (batch) DO NOTHING',
  });
}

async function withdrawBatches(trx: Knex.Transaction): Promise<void> {
  const withdrawn = trx('withdrawn_batches').select('batch');
  await trx('released').whereIn('batch', withdrawn.clone()).delete();
  await trx('released_texts').whereIn('batch', withdrawn.clone()).delete();
  await trx('withdrawn_batches').delete();
}

async function addJoiners(
  trx: Knex.Transaction,
  joiners: readonly Joiner[],
): Promise<void> {
  await insertRows(trx, {
    table: 'joiners',
    columns: {
      person: 'INTEGER',
      team: 'TEXT',
      day: 'INTEGER',
      minutes: 'INTEGER',
    },
    rows: joiners.map(({ person, team, day, hours }) => [
      person,
      team,
      day,
      Math.round(hours * 60),
    ]),
    then: 'ON CONFLICT (person) DO NOTHING',
  });
}
