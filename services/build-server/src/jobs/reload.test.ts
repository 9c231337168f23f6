import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { stringify } from 'yaml';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { jobOf } from '../__testUtils__/Bench.ts';
import { BuildLogs } from '../logs/BuildLogs.ts';
import { buildServer } from '../service.ts';
import { DisabledJobStore } from '../storage/DisabledJobStore.ts';

let server: TestServer;
let client: BuildClient;

/** The files are in `0.yaml` and so on. */
const fileOf = (name: string) => path.join(server.directory, '..', name);
const write = (name: string, job: object | string) =>
  writeFile(fileOf(name), typeof job === 'string' ? job : stringify(job));
const jobs = async () => (await client.get('/api/json')).body.jobs;
const named = async (name: string) =>
  (await jobs()).find((job: { name: string }) => job.name === name);

const FAULTY = 'name: faulty\nsteps:\n  - name: Run\n    runs: "true"\n';

describe.each(testDatabaseClients())('job files on %s', databaseClient => {
  let database: Database;
  let dispose: () => Promise<void>;
  let clock: number;

  beforeEach(async () => {
    clock = Date.now();
    const begun = clock;
    const opened = await openTestDatabase(databaseClient, buildServer);
    ({ database, dispose } = opened);
    server = await startBuildServer({
      database,
      now: () => Date.now() - begun + clock,
      jobs: [jobOf('echo one'), { ...jobOf('sleep 30'), name: 'slow' }],
      config: { jobsReloadSeconds: 0.2, keepRemovedJobsDays: 0 },
    });
    client = new BuildClient(server.url);
  });

  afterEach(async () => {
    await server.stop();
    await dispose();
  });

  it('are reloaded while running builds continue', async () => {
    const running = await client.started(await client.trigger('slow'));
    await write('new.yaml', { ...jobOf('echo two'), name: 'new' });
    await write('0.yaml', jobOf('echo changed'));
    await vi.waitFor(async () => expect(await named('new')).toBeDefined());
    expect((await client.build('new')).result).toBe('SUCCESS');
    await client.build('job');
    expect(await client.log('/job/job/1/')).toContain('changed');
    const { body } = await client.get(`${running}api/json`);
    expect(body).toMatchObject({ building: true });
    await client.post(`${running}stop`);
    await client.ended(running);
  });

  it('with errors disable only their own job, and report why', async () => {
    await write('faulty.yaml', FAULTY);
    await write('0.yaml', 'name: job\nsteps: [');
    await vi.waitFor(async () =>
      expect((await named('job')).buildable).toBe(false),
    );
    expect(await named('faulty')).toMatchObject({
      buildable: false,
      color: 'disabled',
      file: 'faulty.yaml',
      faults: [
        { message: 'steps.0.run is required', line: 3, column: 5 },
        { message: 'steps.0.runs is not a known key', line: 4, column: 5 },
      ],
    });
    // The server may have read the file while it was half written.
    await vi.waitFor(async () => {
      const refused = await client.post('/job/job/build');
      expect([refused.status, refused.body.message]).toEqual([
        409,
        expect.stringMatching(/^Job job is disabled: 0\.yaml line 2: /),
      ]);
    });
    await write('0.yaml', jobOf('echo mended'));
    await vi.waitFor(async () =>
      expect((await named('job')).buildable).toBe(true),
    );
    expect((await client.build('job')).result).toBe('SUCCESS');
  });

  it('may have a schedule, which starts each build once', async () => {
    await write('cron.yaml', {
      ...jobOf('echo "by $CAUSE"'),
      name: 'cron',
      schedule: ['*/5 * * * *'],
    });
    const builds = async () =>
      (await client.get('/job/cron/api/json')).body.builds ?? [];
    await vi.waitFor(async () => expect(await named('cron')).toBeDefined());
    // At the first check it is not due; then days are missed.
    await vi.waitFor(async () => {
      const row = await database.knex('jobs').where({ name: 'cron' }).first();
      expect(row?.scheduled_at ?? null).not.toBeNull();
    });
    clock += 3 * 86_400_000;
    await vi.waitFor(async () => expect(await builds()).toHaveLength(1));
    expect((await builds())[0].actions[0].causes).toMatchObject([
      {
        _class: 'hudson.triggers.TimerTrigger$TimerTriggerCause',
        shortDescription: 'Triggered by its schedule',
      },
    ]);
    clock += 300_000;
    await vi.waitFor(async () => expect(await builds()).toHaveLength(2));
  });

  it('keep their schedules while the folder cannot be read, until they are disabled', async () => {
    await write('cron.yaml', {
      ...{ ...jobOf('true'), name: 'cron' },
      schedule: ['*/5 * * * *'],
    });
    const builds = async () =>
      (await client.get('/job/cron/api/json')).body.builds ?? [];
    await vi.waitFor(async () => expect(await named('cron')).toBeDefined());
    // Until it is registered, no check of its schedule is recorded.
    await vi.waitFor(async () => {
      clock += 300_000;
      expect(await builds()).not.toEqual([]);
    });
    await symlink('/nowhere', fileOf('dangling.yaml'));
    await vi.waitFor(async () => {
      clock += 300_000;
      expect((await builds()).length).toBeGreaterThan(3);
    });
    await new DisabledJobStore(database).set('cron', 'token:dev', clock);
    await vi.waitFor(async () =>
      expect((await named('cron')).buildable).toBe(false),
    );
  });

  it('that are removed end what waits for them, and leave nothing', async () => {
    const running = await client.started(await client.trigger('slow'));
    const waiting = await client.trigger('slow');
    await rm(fileOf('1.yaml'));
    await vi.waitFor(async () =>
      expect((await client.get(waiting)).body).toMatchObject({
        cancelled: true,
      }),
    );
    const { body } = await client.get(waiting);
    expect((await client.get('/job/slow/api/json')).status).toBe(404);
    expect(body.why).toBe('Its job was removed');
    expect(running).toBe('/job/slow/1/');
  });
});

it('with errors do not prevent the server from starting', async () => {
  server = await startBuildServer({
    jobs: [jobOf('true'), { name: 'other' } as never],
  });
  client = new BuildClient(server.url);
  expect((await client.build('job')).result).toBe('SUCCESS');
  expect(await named('other')).toMatchObject({
    faults: [{ message: 'steps is required', line: 1, column: 1 }],
  });
  await server.stop();
});

it('folders of builds whose server was killed are removed, those of others stay', async () => {
  server = await startBuildServer({
    jobs: [jobOf('sleep 30')],
    // Leftovers are searched for three times within this period.
    config: { leaseSeconds: 12 },
  });
  client = new BuildClient(server.url);
  const running = await client.started(await client.trigger('job'));
  const work = path.join(server.directory, 'work');
  await mkdir(path.join(work, '4711/home'), { recursive: true });
  await vi.waitFor(() => expect(readdirSync(work)).toEqual(['1']));
  await client.post(`${running}stop`);
  await client.ended(running);
  expect(readdirSync(work)).toEqual([]);
  await server.stop();
});

it('a log that cannot be written keeps no descriptor open', async () => {
  server = await startBuildServer({ jobs: [jobOf('echo one')] });
  client = new BuildClient(server.url);
  const directory = path.join(server.directory, 'logs');
  await mkdir(directory, { recursive: true });
  await symlink('/dev/full', path.join(directory, '1.log'));
  expect((await client.build('job')).result).toBe('FAILURE');
  const open = readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === '/dev/full';
    } catch {
      return false;
    }
  });
  expect(open).toEqual([]);
  const logs = new BuildLogs({ directory, maxBytes: 100 });
  const log = await logs.append(1);
  await expect(log.write('x')).rejects.toThrow('ENOSPC');
  await expect(log.close()).rejects.toThrow('ENOSPC');
  await server.stop();
});
