import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from './__testUtils__/BuildClient.ts';
import { startBuildServer } from './__testUtils__/startBuildServer.ts';
import { buildServer } from './service.ts';

const ROUNDS = 25;

describe.each(testDatabaseClients())('two replicas on %s', databaseClient => {
  it('run each build once, and serial jobs one after the other', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'build-replicas-'));
    const starts = path.join(directory, 'starts');
    const { database, dispose } = await openTestDatabase(
      databaseClient,
      buildServer,
    );
    const jobs = [
      {
        name: 'many',
        concurrent: true,
        steps: [{ name: 'Run', run: `echo many-$BUILD_NUMBER >> ${starts}` }],
      },
      {
        name: 'serial',
        steps: [
          {
            name: 'Run',
            // A second one at the same time finds the directory.
            run: `mkdir ${directory}/lock; echo serial-$BUILD_NUMBER >> ${starts}; sleep 0.05; rmdir ${directory}/lock`,
          },
        ],
      },
    ];
    const servers = [];
    for (let replica = 0; replica < 2; replica += 1) {
      servers.push(
        await startBuildServer({
          database,
          directory,
          jobs,
          config: { executors: 4 },
        }),
      );
    }
    const clients = servers.map(({ url }) => new BuildClient(url));
    await Promise.all(
      Array.from({ length: ROUNDS }, async (_, round) => {
        const client = clients[round % 2];
        const other = clients[(round + 1) % 2];
        for (const job of ['many', 'serial']) {
          const item = await client.trigger(job);
          const build = await other.ended(await other.started(item));
          expect(build).toMatchObject({ result: 'SUCCESS' });
        }
      }),
    );
    const lines = (await readFile(starts, 'utf8')).trim().split('\n');
    expect(lines.sort()).toEqual(
      ['many', 'serial']
        .flatMap(job =>
          Array.from({ length: ROUNDS }, (_, n) => `${job}-${n + 1}`),
        )
        .sort(),
    );
    for (const { stop } of servers) {
      await stop();
    }
    await dispose();
    await rm(directory, { recursive: true, force: true });
  });
});
