import type { BenchDatabase } from '../BenchDatabase.ts';
import { personHash, type Organisation } from '../Organisation.ts';
import { recordStatements } from './recordStatements.ts';
import { rollupStatements } from './rollupStatements.ts';

/** What knex writes in one statement. */
const CHUNK = 500;

const bulk = {
  SQLite: {
    begin: [
      'PRAGMA foreign_keys = OFF',
      'PRAGMA synchronous = OFF',
      'PRAGMA cache_size = -1000000',
    ],
    end: ['PRAGMA wal_checkpoint(TRUNCATE)'],
  },
  PostgreSQL: {
    // Takes foreign keys for granted.
    begin: ['SET session_replication_role = replica'],
    end: [
      `SELECT setval(pg_get_serial_sequence('people', 'id'), MAX(id)) FROM people`,
      'SET session_replication_role = DEFAULT',
      'VACUUM ANALYZE',
      'CHECKPOINT',
    ],
  },
} as const;

/**
 * Fills the tables that the service has made: records, and the rollups that follow
 * from them. The service must not run.
 *
 * @param options.hashKey - that of the service.
 * @param options.say - told of each step that takes long.
 */
export async function loadRecords(
  { name, knex }: BenchDatabase,
  options: {
    organisation: Organisation;
    hashKey: string;
    say: (text: string) => void;
  },
): Promise<void> {
  const { organisation, hashKey, say } = options;
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) {
      const begun = performance.now();
      await knex.raw(statement);
      const seconds = (performance.now() - begun) / 1_000;
      if (seconds > 1) {
        say(`  ${seconds.toFixed(1)} s  ${statement.trim().split('\n')[0]}`);
      }
    }
  };
  await run(bulk[name].begin);
  const people = Array.from({ length: organisation.people }, (_, index) => ({
    id: index + 1,
    hash: personHash(index + 1, hashKey),
    reminder_opted_out: false,
  }));
  await knex.batchInsert('people', people, CHUNK);
  await run([...recordStatements(organisation), ...rollupStatements]);
  await run(bulk[name].end);
}
