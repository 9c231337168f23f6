import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Contribution } from '../ledger/Contribution.ts';
import type { DatabaseLedger } from '../ledger/DatabaseLedger.ts';
import { countRevision } from '../ledger/revisions.ts';
import { findPerson } from './DatabasePeople.ts';
import type {
  PersonRecords,
  PersonStore,
  RecordCounts,
} from './PersonRecords.ts';
import { recordTables, type RecordTable } from './recordTables.ts';

/**
 * Reads and deletes from every table of {@link recordTables}. Records, numbers and the
 * person go in one transaction; whoever records something of that person meanwhile waits.
 */
export class DatabasePersonStore implements PersonStore {
  readonly #database: Database;
  readonly #ledger: DatabaseLedger;

  constructor(options: { database: Database; ledger: DatabaseLedger }) {
    this.#database = options.database;
    this.#ledger = options.ledger;
  }

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
      // Whoever records something of this person meanwhile waits, and gives a new number.
      await trx('people').where({ id: person }).forUpdate().first('id');
      const contributions: Contribution[] = [];
      for (const kind of Object.keys(counts) as (keyof RecordCounts)[]) {
        const table = recordTables[kind];
        const rows = await rowsOf(trx, table, person);
        counts[kind] = rows.length;
        contributions.push(...rows.map(row => table.contribution(row, person)));
        await trx(table.name).where({ person }).delete();
      }
      await this.#ledger.withdraw(trx, contributions);
      await this.#ledger.removePerson(trx, person);
      await trx('people').where({ id: person }).delete();
      await countRevision(trx, 'first_commits');
      return counts;
    });
  }
}

function rowsOf(
  knex: Knex,
  table: RecordTable,
  person: number,
): Promise<Record<string, unknown>[]> {
  return knex(table.name).where({ person }).orderBy('occurred_at');
}
