import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  type DatabaseName,
  databaseNames,
  readCount,
  readDatabases,
} from '../arguments';
import { BenchPostgres } from '../BenchPostgres';
import { duration, percentile, type Row, runBench } from '../runBench';
import { type LakeDatabase, openPostgres, openSqlite } from './databases';
import { isLoaded, loadLake } from './load/loadLake';
import { lakeSize } from './load/statements';
import { checkRebuild } from './measures/lakeServices';
import { type IngestRates, measureIngest } from './measures/measureIngest';
import { measureReads, type ReadTimes } from './measures/measureReads';

/** Options of a run. */
interface BenchOptions {
  /** Deployments of the large lake. */
  deployments: number;
  /** Deployments of the small lake for comparison. */
  small: number;
  databases: DatabaseName[];
  /** Reuse the data of an earlier run. */
  reuse: boolean;
}

/** Parses the command line. @throws Error naming the invalid argument. */
function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      deployments: { type: 'string', default: '10_000_000' },
      small: { type: 'string', default: '100_000' },
      database: { type: 'string', multiple: true, default: [...databaseNames] },
      reuse: { type: 'boolean', default: false },
    },
  });
  return {
    deployments: readCount('deployments', values.deployments),
    small: readCount('small', values.small),
    databases: readDatabases(values.database),
    reuse: values.reuse,
  };
}

const RATIO_TARGET = 1.5;
/** Shorter durations are dominated by clock and scheduler noise. */
const NOISE_MS = 0.5;
const INGEST_TARGET = 5_000;

function median(samples: readonly number[]): string {
  return duration(percentile(samples, 50));
}

/** Returns the row that shows how the duration grew with the lake. */
function ratioRow(name: string, large: ReadTimes, small: ReadTimes): Row {
  const [much, little] = [large, small].map(({ fresh }) =>
    percentile(fresh, 50),
  );
  const ratio = much / little;
  const { what, sameSize } = large.question;
  return {
    what: `${name}: ${what}, large beside small`,
    target: sameSize ? `≤ ${RATIO_TARGET} times` : '–',
    measured: `${ratio.toFixed(2)} times`,
    beside: `small lake: ${median(small.fresh)}`,
    met: sameSize ? ratio <= RATIO_TARGET || much - little <= NOISE_MS : null,
  };
}

/** Returns the rows of one database: every query, and its growth with the lake. */
function readRows(name: string, large: ReadTimes[], small: ReadTimes[]): Row[] {
  return large.flatMap((times, index) => {
    const { question, cold, fresh, again, plain } = times;
    return [
      {
        what: `${name}: ${question.what}`,
        target: `≤ ${question.target} ms`,
        measured: `${median(fresh)}, p95 ${duration(
          percentile(fresh, 95),
        )}; again ${median(again)}; cold ${median(cold)}`,
        beside: `plain SQL: ${median(plain)}`,
        met: percentile(fresh, 50) <= question.target,
      },
      ratioRow(name, times, small[index]),
    ];
  });
}

/** Returns the row of the ingest rate. */
function ingestRow({ lake, plain }: IngestRates): Row {
  const rate = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
  return {
    what: 'PostgreSQL: deployments taken in, batches of 1,000, durable',
    target: `≥ ${rate(INGEST_TARGET)}`,
    measured: rate(lake),
    beside: `one bare row each: ${rate(plain)}`,
    met: lake >= INGEST_TARGET,
  };
}

// Measures the delivery lake: `yarn bench:delivery-lake`. Exits with 1 if a target is
// missed, for use in pipelines.

const directory = path.resolve(__dirname, '../../.data/bench/delivery-lake');

/** Services that are rebuilt and checked before the measurements. */
const SPOT_CHECKS = [1, 13, 20];

async function readsOf(
  open: () => Promise<LakeDatabase>,
  deployments: number,
): Promise<ReadTimes[]> {
  const database = await open();
  try {
    const size = lakeSize(deployments);
    const what = `${size.deployments.toLocaleString('en')} deployments of ${
      size.services
    } services in ${database.name}`;
    if (!(await isLoaded(database, size))) {
      console.log(`Loading ${what}`);
      await loadLake(database, size, console.log);
    }
    for (const service of SPOT_CHECKS) {
      await checkRebuild(database.knex, service);
    }
    console.log(`Measuring ${what}`);
    return await measureReads(database);
  } finally {
    await database.close();
  }
}

async function runSqlite(options: BenchOptions): Promise<Row[]> {
  const reads = (deployments: number) =>
    readsOf(
      async () => openSqlite(path.join(directory, `sqlite-${deployments}`)),
      deployments,
    );
  const small = await reads(options.small);
  return readRows('SQLite', await reads(options.deployments), small);
}

async function runPostgres(options: BenchOptions): Promise<Row[]> {
  const postgres = await BenchPostgres.start(path.join(directory, 'postgres'));
  try {
    const reads = (deployments: number) =>
      readsOf(() => openPostgres(postgres, `lake_${deployments}`), deployments);
    const small = await reads(options.small);
    const rows = readRows(
      'PostgreSQL',
      await reads(options.deployments),
      small,
    );
    console.log('Measuring ingest');
    const ingest = await openPostgres(postgres, 'lake_ingest');
    try {
      return [...rows, ingestRow(await measureIngest(ingest.knex))];
    } finally {
      await ingest.close();
    }
  } finally {
    await postgres.stop();
  }
}

async function run(): Promise<Row[]> {
  const options = readOptions(process.argv.slice(2));
  if (!options.reuse) {
    rmSync(directory, { recursive: true, force: true });
  }
  const rows: Row[] = [];
  if (options.databases.includes('sqlite')) {
    rows.push(...(await runSqlite(options)));
  }
  if (options.databases.includes('postgres')) {
    rows.push(...(await runPostgres(options)));
  }
  return rows;
}

runBench(run);
