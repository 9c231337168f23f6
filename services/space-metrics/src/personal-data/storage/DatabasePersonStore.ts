import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Contribution } from '../../records/Contribution.ts';
import { withdrawPerson } from '../../records/storage/rollups.ts';
import { markWithdrawn } from '../../releases/storage/DatabaseReleases.ts';
import { findPerson } from '../../storage/numberPeople.ts';
import { countRevision } from '../../storage/sql.ts';
import {
  type PersonRecords,
  type RecordCounts,
  type RecordTable,
  recordTables,
} from './recordTables.ts';

type Row = Record<string, unknown>;

/**
 * Reads and deletes the data of a person in every table of {@link recordTables}. Records, numbers
 * and the person are deleted in one transaction; concurrent writes about that person wait for it.
 */
export class DatabasePersonStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Reads all data stored about a person.
   *
   * @returns undefined if there is none.
   */
  async export(personHash: string): Promise<PersonRecords | undefined> {
    const { knex } = this.#database;
    const person = await findPerson(knex, personHash);
    if (person === undefined) {
      return undefined;
    }
    const records: Record<string, unknown[]> = {};
    for (const [kind, table] of Object.entries(recordTables)) {
      const rows = await rowsOf(knex, table, person);
      records[kind] = rows.map(row => table.present(row));
    }
    return records as unknown as PersonRecords;
  }

  /** Deletes a person from records and numbers. Calling it again has no effect. */
  erase(personHash: string): Promise<RecordCounts> {
    return this.#database.transaction(async trx => {
      const counts: RecordCounts = {
        surveys: 0,
        friction_logs: 0,
        cognitive_loads: 0,
        activity: 0,
      };
      await trx('pulse_reminders').where({ hash: personHash }).delete();
      const person = await findPerson(trx, personHash);
      if (person === undefined) {
        return counts;
      }
      // Prevents cycles from closing in the meantime. Concurrent writes about this person wait, and
      // then assign a new number.
      await countRevision(trx, 'batches');
      await trx('people').where({ id: person }).forUpdate().first('id');
      const contributions: Contribution[] = [];
      const records: Row[] = [];
      for (const kind of Object.keys(counts) as (keyof RecordCounts)[]) {
        const table = recordTables[kind];
        const rows = await rowsOf(trx, table, person);
        counts[kind] = rows.length;
        records.push(...rows);
        contributions.push(...rows.map(row => table.contribution(row, person)));
        await trx(table.name).where({ person }).delete();
      }
      const joined: Row[] = await trx('joiners').where({ person });
      await trx('joiners').where({ person }).delete();
      await markWithdrawn(trx, [...records, ...joined].flatMap(batchOf));
      await withdrawPerson(trx, { person, contributions });
      await trx('people').where({ id: person }).delete();
      await countRevision(trx, 'first_commits');
      return counts;
    });
  }

  /** Deletes sums that have become zero, and teams without any records. */
  async forgetEmptyTeams(): Promise<void> {
    await this.#database.transaction(async trx => {
      await trx('daily_totals').where({ total: 0 }).delete();
      const empty = trx('tallies');
      for (const { name } of Object.values(recordTables)) {
        empty.whereNotIn('team', trx(name).distinct('team'));
      }
      await empty.delete();
      await countRevision(trx, 'first_commits');
    });
  }
}

/** Returns the batch that released a record, if there is one. */
function batchOf({ batch }: Row): number[] {
  return typeof batch === 'number' && batch > 0 ? [batch] : [];
}

function rowsOf(
  knex: Knex,
  table: RecordTable,
  person: number,
): Promise<Row[]> {
  return knex(table.name).where({ person }).orderBy('occurred_at');
}
