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
 * Reads and deletes from every table of {@link recordTables}. Records, numbers and the
 * person go in one transaction; whoever records something of that person meanwhile waits.
 */
export class DatabasePersonStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads all that is stored of a person. @returns undefined where nothing is. */
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

  /** Erases a person from records and numbers. A second time there is nothing to erase. */
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
      // No cycle closes meanwhile; whoever records something of this person waits, and
      // gives a new number.
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
}

/** The batch that released a record, if one did. */
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
