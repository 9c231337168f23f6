import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import { jobOf } from '../__testUtils__/Bench.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { startAgent, type TestAgent } from '../__testUtils__/startAgent.ts';
import {
  startBuildServer,
  type TestServer,
  TRIGGER_TOKEN,
} from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';

let dispose: () => Promise<void>;
let database: Database;
let server: TestServer;
let client: BuildClient;
let agent: TestAgent | undefined;

const stateOfGone = () =>
  database
    .knex('builds')
    .where({ job: 'gone' })
    .first('state', 'result', 'reason');

/** Removes the job `gone`, and waits until the server knows. */
async function removeGone(): Promise<void> {
  await rm(path.join(server.directory, '../1.yaml'));
  await vi.waitFor(async () =>
    expect((await client.get('/job/gone/api/json')).status).toBe(404),
  );
}

async function start(executors: number): Promise<void> {
  const opened = await openTestDatabase('sqlite', buildServer);
  ({ dispose, database } = opened);
  server = await startBuildServer({
    database: {
      ...database,
      async transaction(work) {
        const result = await database.transaction(work);
        // The claim of its build, which nothing else knows yet.
        if (/"job":"gone".*"running"/.test(JSON.stringify(result) ?? '')) {
          await removeGone();
        }
        return result;
      },
    },
    jobs: [jobOf('true'), { ...jobOf('true'), name: 'gone' }],
    config: {
      executors,
      jobsReloadSeconds: 0.1,
      auth: {
        users: [
          {
            name: 'dev',
            key: TRIGGER_TOKEN,
            scopes: ['read', 'trigger', 'admin'],
          },
        ],
      },
    },
  });
  client = new BuildClient(server.url);
}

afterEach(async () => {
  await agent?.stop();
  agent = undefined;
  await server.stop();
  await dispose();
});

it.each([
  ['this server', 1],
  ['an agent', 0],
])(
  'ends only the build that %s claims while its job is removed',
  async (_where, executors) => {
    await start(executors);
    if (executors === 0) {
      agent = await startAgent(client);
    }
    await client.trigger('gone');
    await vi.waitFor(async () =>
      expect(await stateOfGone()).toMatchObject({
        ...{ state: 'finished', result: 'ABORTED' },
        reason: 'Its job was removed',
      }),
    );
    const log = path.join(server.directory, 'logs/1.log');
    expect(await readFile(log, 'utf8')).toBe(
      '\n==> Its job was removed\nFinished: ABORTED\n',
    );
    expect((await client.build('job')).result).toBe('SUCCESS');
  },
);
