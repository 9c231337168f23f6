import { rmSync } from 'node:fs';
import path from 'node:path';
import { BenchPostgres } from '../databases/BenchPostgres';
import { runBench } from '../runBench';
import type { Row } from '../workspaces/Row';
import type { LakeDatabase } from './databases/LakeDatabase';
import { openPostgres } from './databases/openPostgres';
import { openSqlite } from './databases/openSqlite';
import { lakeSize } from './load/LakeSize';
import { isLoaded, loadLake } from './load/loadLake';
import { checkRebuild } from './measures/checkRebuild';
import { measureIngest } from './measures/measureIngest';
import { measureReads, type ReadTimes } from './measures/measureReads';
import { readOptions, type BenchOptions } from './options';
import { ingestRow, readRows } from './report';

// How fast the delivery lake is: `yarn bench:delivery-lake`. Exits with 1 when a
// target is missed, so that it can stand in a pipeline.

const directory = path.resolve(__dirname, '../../.data/bench/delivery-lake');

/** Services that are derived anew before anything is measured. */
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
