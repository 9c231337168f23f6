import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  type DatabaseName,
  databaseNames,
  readCount,
  readDatabases,
} from '../arguments.ts';
import { BenchPostgres } from '../BenchPostgres.ts';
import { type Row, runBench } from '../runBench.ts';
import {
  type BenchDatabase,
  createPostgres,
  createSqlite,
} from './BenchDatabase.ts';
import { measureDatabase, rowsOf } from './measureDatabase.ts';
import { organisationOf } from './Organisation.ts';

/** Options of a run. */
interface BenchOptions {
  /** Number of events in the database for reads. */
  events: number;
  /** Duration of each load, in seconds. */
  seconds: number;
  databases: DatabaseName[];
}

/** Parses the command line. @throws Error naming the invalid argument. */
function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '5_000_000' },
      seconds: { type: 'string', default: '10' },
      database: { type: 'string', multiple: true, default: [...databaseNames] },
    },
  });
  return {
    events: readCount('events', values.events),
    seconds: readCount('seconds', values.seconds),
    databases: readDatabases(values.database),
  };
}

// Measures the SPACE metrics service: `yarn bench:space-metrics`. Exits with 1 if a
// target is missed, for use in pipelines.

const directory = path.resolve(
  import.meta.dirname,
  '../../.data/bench/space-metrics',
);

async function measure(
  databases: { own: BenchDatabase; bare: BenchDatabase },
  { events, seconds }: BenchOptions,
): Promise<Row[]> {
  const { own, bare } = databases;
  try {
    return rowsOf(
      await measureDatabase(own, {
        bareDatabase: bare,
        organisation: organisationOf(events),
        seconds,
        say: console.log,
      }),
    );
  } finally {
    await own.knex.destroy();
    await bare.knex.destroy();
  }
}

async function measureSqlite(options: BenchOptions): Promise<Row[]> {
  const own = createSqlite(path.join(directory, 'sqlite'));
  const bare = createSqlite(path.join(directory, 'sqlite-bare'));
  return measure({ own, bare }, options);
}

async function measurePostgres(options: BenchOptions): Promise<Row[]> {
  const postgres = await BenchPostgres.start(path.join(directory, 'postgres'));
  try {
    const own = await createPostgres(postgres, 'space_metrics');
    const bare = await createPostgres(postgres, 'bare');
    return await measure({ own, bare }, options);
  } finally {
    await postgres.stop();
  }
}

async function run(): Promise<Row[]> {
  const options = readOptions(process.argv.slice(2));
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const rows: Row[] = [];
  try {
    if (options.databases.includes('sqlite')) {
      rows.push(...(await measureSqlite(options)));
    }
    if (options.databases.includes('postgres')) {
      rows.push(...(await measurePostgres(options)));
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return rows;
}

runBench(run);
