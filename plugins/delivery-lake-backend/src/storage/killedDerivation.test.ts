import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mockServices } from '@backstage/backend-test-utils';
import knexFactory from 'knex';
import { Knex } from 'knex';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { dumpDerived } from './__testUtils__/dumpDerived';
import { TestLake } from './__testUtils__/TestLake';
import { DatabaseDeriver } from './DatabaseDeriver';
import { lakeDatabases } from './__testUtils__/lakeDatabases';
import { openLakeDatabase } from './openLakeDatabase';

const databases = lakeDatabases();
const KILLS = Number(process.env.DERIVATION_KILLS ?? 3);
const TRANSFORM = '@backstage/cli/config/nodeTransform.cjs';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const SERVICES = 9;

/** Starts a process that derives, and kills it before it is likely to finish. */
async function deriveAndKill(
  connection: Knex.Config,
  what: 'drain' | 'rebuild',
  mostMs: number,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--require',
      require.resolve(TRANSFORM),
      join(__dirname, '__testUtils__', 'deriveInChild.ts'),
      JSON.stringify(connection),
      what,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [said] = await once(child.stdout, 'data');
  expect(String(said)).toContain('ready');
  await sleep(Math.random() * mostMs);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Ingests several hundred deployments of each service, with changes and incidents. */
async function fill(lake: TestLake, round: number): Promise<void> {
  const { knex } = lake;
  const perService = 100;
  const at = (index: number) => START + (round * perService + index) * 5 * HOUR;
  const rows = Array.from({ length: SERVICES * perService }, (_, index) => ({
    service: (index % SERVICES) + 1,
    index: Math.floor(index / SERVICES),
    key: `${round}-${index}`,
  }));
  await knex.batchInsert(
    'changes',
    rows.map(({ service, index, key }) => ({
      repository_id: service,
      sha: key,
      message: '',
      author: '',
      committed_at: at(index) - 2 * HOUR,
      position: at(index) * 2048,
      revision: 1,
    })),
    50,
  );
  await knex.batchInsert(
    'deployments',
    rows.map(({ service, index, key }) => ({
      public_id: `deploy-${key}`,
      source: 'ci',
      external_id: key,
      service_id: service,
      environment: 'prod',
      status: 'SUCCESS',
      started_at: at(index),
      finished_at: at(index) + HOUR,
      version: '1',
      triggered_by: 'ada',
      repository_id: service,
      commit_sha: key,
      head_position: at(index) * 2048,
      rollback_of: index % 10 === 9 ? '' : null,
      revision: 1,
      counted: 1,
    })),
    30,
  );
  await knex.batchInsert(
    'incidents',
    rows
      .filter(({ index }) => index % 7 === 3)
      .map(({ service, index, key }) => ({
        public_id: `incident-${key}`,
        source: 'pager',
        external_id: key,
        service_id: service,
        environment: 'prod',
        title: '',
        started_at: at(index) + 2 * HOUR,
        resolved_at: at(index) + 9 * HOUR,
        link_source: 'ci',
        link_external_id: index % 2 ? key : 'none',
        revision: 1,
      })),
    40,
  );
  await knex('dirty_marks').insert(
    Array.from({ length: SERVICES }, (_, index) => ({
      service_id: index + 1,
      since: at(0),
    })),
  );
}

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  let directory: string | undefined;
  let file: Knex | undefined;

  async function open(): Promise<{ knex: Knex; connection: Knex.Config }> {
    if (databaseId !== 'SQLITE_3') {
      const knex = await databases.init(databaseId);
      const { client, connection } = knex.client.config;
      // The pool makes the password non-enumerable.
      const { password } = connection;
      return {
        knex,
        connection: { client, connection: { ...connection, password } },
      };
    }
    directory = await mkdtemp(join(tmpdir(), 'lake-'));
    const connection = {
      client: 'better-sqlite3',
      connection: { filename: join(directory, 'lake.sqlite') },
    };
    file = knexFactory({ ...connection, useNullAsDefault: true });
    await openLakeDatabase(
      mockServices.database({ knex: file, migrations: { skip: false } }),
    );
    return { knex: file, connection };
  }

  afterEach(async () => {
    await file?.destroy();
    file = undefined;
    if (directory) {
      await rm(directory, { recursive: true });
      directory = undefined;
    }
  });

  it.each(['drain', 'rebuild'] as const)(
    'is where a %s that was never killed would be',
    async what => {
      const { knex, connection } = await open();
      const lake = await TestLake.create(knex);
      const deriver = new DatabaseDeriver({
        knex,
        dora: { incidentWindow: 24 * HOUR },
        timeZone: 'UTC',
      });
      for (let round = 0; round < KILLS; round++) {
        await fill(lake, round);
        await deriveAndKill(connection, what, 400);
        await deriver.drain();
        const afterKill = await dumpDerived(knex);
        await deriver.rebuild();
        expect(afterKill).toEqual(await dumpDerived(knex));
        expect(
          afterKill.counts
            .filter(row => row.service_id === 0)
            .reduce((sum, row) => sum + Number(row.deployments), 0),
        ).toBe((round + 1) * SERVICES * 100);
      }
    },
    patient(10 * 60_000),
  );
});
