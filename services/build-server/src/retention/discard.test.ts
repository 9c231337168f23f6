import { access } from 'node:fs/promises';
import path from 'node:path';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import type { Job } from '../jobs/Job.ts';
import { buildServer } from '../service.ts';
import { DiscardStore } from '../storage/DiscardStore.ts';
import { startDiscarding } from './startDiscarding.ts';

const DAY_MS = 86_400_000;

let server: TestServer;
let client: BuildClient;
let dispose: () => Promise<void>;
let clock: number;

const job: Job = {
  name: 'job',
  concurrent: true,
  parameters: [{ name: 'DO', default: 'true' }],
  steps: [{ name: 'Run', run: 'echo done; eval "$DO"' }],
};

/** Returns the numbers of the existing builds, newest first. */
async function numbers(): Promise<number[]> {
  const { body } = await client.get('/job/job/api/json');
  return body.builds.map(({ number }: { number: number }) => number);
}

async function until(expected: number[]): Promise<void> {
  await vi.waitFor(async () => expect(await numbers()).toEqual(expected));
}

function hasLog(id: number): Promise<boolean> {
  return access(path.join(server.directory, 'logs', `${id}.log`)).then(
    () => true,
    () => false,
  );
}

describe.each(testDatabaseClients())('old builds on %s', databaseClient => {
  async function start(
    more: Partial<Job>,
    config: Record<string, unknown> = {},
  ): Promise<void> {
    clock = Date.now();
    const opened = await openTestDatabase(databaseClient, buildServer);
    dispose = opened.dispose;
    server = await startBuildServer({
      database: opened.database,
      jobs: [{ ...job, ...more }],
      config: { executors: 4, ...config },
      now: () => clock,
    });
    client = new BuildClient(server.url);
  }

  afterEach(async () => {
    await server.stop();
    await dispose();
  });

  it('are deleted with their logs beyond the limit of a job', async () => {
    await start(
      { discardOldBuilds: { keepBuilds: 2 } },
      { discardOldBuilds: { keepBuilds: 50 } },
    );
    for (let build = 0; build < 4; build += 1) {
      await client.build('job');
    }
    await until([4, 3]);
    await vi.waitFor(async () =>
      expect([await hasLog(1), await hasLog(2)]).toEqual([false, false]),
    );
    expect([await hasLog(3), await hasLog(4)]).toEqual([true, true]);
    expect((await client.get('/job/job/1/api/json')).status).toBe(404);
    // Numbers are not reused.
    expect((await client.build('job')).number).toBe(5);
  });

  it('stay while they run, and as the last that succeeded', async () => {
    await start({ discardOldBuilds: { keepBuilds: 1 } });
    await client.build('job');
    const running = await client.started(
      await client.trigger('job', { DO: 'sleep 30' }),
    );
    await client.build('job', { DO: 'false' });
    await client.build('job', { DO: 'false' });
    await until([4, 2, 1]);
    expect(
      (await client.get('/job/job/lastStableBuild/api/json')).body,
    ).toEqual(expect.objectContaining({ number: 1 }));
    await client.post(`${running}stop`);
    await until([4, 1]);
  });

  it('go by their age, where all jobs keep them for days', async () => {
    await start({}, { discardOldBuilds: { keepDays: 7 } });
    await client.build('job');
    clock += 5 * DAY_MS;
    await client.build('job');
    await until([2, 1]);
    clock += 3 * DAY_MS;
    await client.build('job', { DO: 'false' });
    await until([3, 2]);
    const { body } = await client.get('/job/job/api/json');
    expect(body.discardOldBuilds).toEqual({ keepDays: 7 });
  });
});

it.each(testDatabaseClients())(
  'cannot be kept any more once their files are deleted on %s',
  async databaseClient => {
    const opened = await openTestDatabase(databaseClient, buildServer);
    const { database } = opened;
    await database.knex('builds').insert(
      [1, 2].map(number => ({
        ...{ job: 'shop', number, state: 'finished', result: 'SUCCESS' },
        ...{ cause: 'Triggered by dev', parameters: '{}', steps: '[]' },
        ...{ queued_at: 1, due_at: 1, attempt: 1 },
        ...{ started_at: 1, finished_at: 2 },
      })),
    );
    const store = new DiscardStore(database);
    const kept = { by: 'user:default/ada', at: 3, reason: null };
    const outcomes: boolean[] = [];
    const discard = startDiscarding(
      {
        config: { discardOldBuilds: { keepBuilds: 1 } },
        ...{ database, now: () => 3, every: () => {}, logger: console },
      } as never,
      {
        jobs: { find: () => ({ name: 'shop' }) } as never,
        logs: {
          remove: async (id: number) => {
            outcomes.push(await store.keep(id, kept));
          },
        } as never,
        artifacts: { remove: async () => {} } as never,
      },
    );
    await discard('shop');
    expect(outcomes).toEqual([false]);
    expect(await database.knex('builds').pluck('number')).toEqual([2]);
    await opened.dispose();
  },
);
