import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mockServices } from '@backstage/backend-test-utils';
import createKnex from 'knex';
import { Knex } from 'knex';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { createLake, INGEST_CONFIG } from './__testUtils__/createLake';
import { dumpLake } from './__testUtils__/dumpLake';
import { at } from './__testUtils__/events';
import { Replayer } from './Replayer';
import { lakeDatabases } from './__testUtils__/lakeDatabases';
import { openLakeDatabase } from './openLakeDatabase';

/** Number of kills; increase it for a long run: `SLIPWAY_KILLS=20`. */
const KILLS = Number(process.env.SLIPWAY_KILLS ?? 3);

const databases = lakeDatabases(['POSTGRES_18']);
const children: ChildProcess[] = [];
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
  }
  for (const cleanup of cleanups.splice(0)) {
    await cleanup();
  }
});

async function sqliteFile(): Promise<Knex> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-lake-'));
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename: join(directory, 'lake.sqlite') },
    useNullAsDefault: true,
  });
  cleanups.push(
    () => knex.destroy(),
    () => rm(directory, { recursive: true }),
  );
  await openLakeDatabase(
    mockServices.database({ knex, migrations: { skip: false } }),
  );
  return knex;
}

function spawnIngest(knex: Knex, prefix: string): ChildProcess {
  const { client, connection, useNullAsDefault } = knex.client.config;
  const child = spawn(
    process.execPath,
    [
      '--require',
      require.resolve('@backstage/cli/config/nodeTransform.cjs'),
      require.resolve('./__testUtils__/ingestUntilKilled.ts'),
      JSON.stringify({
        client,
        // knex makes the password non-enumerable.
        connection: { ...connection, password: connection.password },
        useNullAsDefault,
      }),
      prefix,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.push(child);
  return child;
}

/**
 * Ingests in another process for a while, kills it, and returns the acknowledged items.
 */
async function ingestAndKill(knex: Knex, prefix: string): Promise<string[]> {
  const child = spawnIngest(knex, prefix);
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', text => {
    output += text;
  });
  await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
  if (child.exitCode !== null) {
    throw new Error(`The process ended by itself: ${child.exitCode}`);
  }
  await sleep(Math.random() * 300);
  child.kill('SIGKILL');
  await once(child, 'close');
  // The last line may be incomplete.
  return output.slice(0, output.lastIndexOf('\n')).split(/\s+/);
}

it.each([
  ['SQLite', 1, sqliteFile],
  ['PostgreSQL', 2, () => databases.init('POSTGRES_18')],
] as const)(
  'keeps each acknowledged event once in %s when it is killed',
  async (_, replicas, open) => {
    const knex = await open();
    const { directory, store } = await createLake(knex);
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round++) {
      const runs = Array.from({ length: replicas }, (__, replica) =>
        ingestAndKill(knex, `${round}-${replica}`),
      );
      acknowledged.push(...(await Promise.all(runs)).flat());
    }

    // Waits for the rollback of transactions of the killed process.
    await store.add({ events: [], receivedAt: 0 });
    const { events, deployments } = await dumpLake(knex);
    const told = events.flatMap(({ kind, record_key }) =>
      kind === 'deployment' ? [JSON.parse(String(record_key))[1]] : [],
    );
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * 20);
    expect(new Set(told).size).toBe(told.length);
    expect(deployments).toHaveLength(told.length);
    expect(acknowledged.filter(id => !told.includes(id))).toEqual([]);
    expect(told.length % 20).toBe(0);

    const dump = await dumpLake(knex);
    await new Replayer({
      knex,
      directory,
      config: INGEST_CONFIG,
      now: () => at(100_000),
    }).replay();
    expect(await dumpLake(knex)).toEqual(dump);
  },
  patient(60_000 + KILLS * 10_000),
);
