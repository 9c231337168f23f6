import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  openTestDatabase,
  type ServiceProcess,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  startBuildProcess,
  startBuildServer,
  writeJobs,
} from '../__testUtils__/startBuildServer.ts';
import type { Job } from '../jobs/Job.ts';
import { buildServer } from '../service.ts';

const SHARE = 'SHARE';

/** A job that waits for a decision after a step that may run only once. */
function deploy(ran: string): Job {
  return {
    name: 'deploy',
    steps: [
      {
        name: 'Test',
        run: `echo "test $BUILD_NUMBER" >> ${ran}; echo tested > tested`,
      },
      { name: 'Flaky', needs: [], run: 'exit 3', allowFailure: true },
      {
        name: 'Share',
        needs: ['Test'],
        approval: { inputs: [{ name: SHARE, required: true }] },
      },
      { name: 'Approve', needs: ['Share', 'Flaky'], approval: {} },
      { name: 'Deploy', run: 'cat tested; echo "to $SHARE percent"' },
    ],
  };
}

const share = { step: 'Share', decision: 'approve', inputs: { SHARE: '5' } };
const approve = { step: 'Approve', decision: 'approve' };

/** Waits until a step of a build waits for a person. */
function waiting(client: BuildClient, build: string, step: string) {
  return vi.waitFor(
    async () => {
      const [details, { body }] = await Promise.all([
        client.get(`${build}api/json`),
        client.get(`${build}approvals`),
      ]);
      const states = details.body.steps.map(
        (one: { name: string; state: string }) => `${one.name} ${one.state}`,
      );
      expect(states).toContain(`${step} waiting`);
      expect(states).not.toContain('Flaky running');
      expect(body.approvals).toContainEqual(
        expect.objectContaining({ step, state: 'waiting' }),
      );
    },
    { timeout: 20_000, interval: 50 },
  );
}

let directory: string;
let processes: ServiceProcess[];

async function startProcess(): Promise<ServiceProcess> {
  const server = await startBuildProcess({ directory });
  processes.push(server);
  return server;
}

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'build-resume-'));
  processes = [];
});

afterEach(async () => {
  processes.forEach(({ child }) => child.kill('SIGKILL'));
  await rm(directory, { recursive: true, force: true });
});

it('resumes a build that waits for a decision after each kill -9', async () => {
  const ran = path.join(directory, 'ran');
  await writeJobs(directory, [deploy(ran)]);
  const build = '/job/deploy/1/';
  for (const [step, decisions] of [
    ['Share', []],
    ['Share', [share]],
    ['Approve', []],
  ] as const) {
    const server = await startProcess();
    const client = new BuildClient(server.url);
    // The same trigger each time: it queues one build.
    const key = { 'idempotency-key': 'once' };
    await client.json('/job/deploy/build', {}, key);
    await waiting(client, build, step);
    for (const decision of decisions) {
      // The decision is stored before the response is sent, so it survives too.
      const { status } = await client.json(`${build}approvals`, decision);
      expect(status).toBe(204);
    }
    await server.end('SIGKILL');
  }
  const server = await startProcess();
  const client = new BuildClient(server.url);
  await waiting(client, build, 'Approve');
  expect((await client.get('/approvals')).body.approvals).toHaveLength(1);
  await client.json(`${build}approvals`, approve);
  expect(await client.ended(build)).toMatchObject({
    number: 1,
    result: 'UNSTABLE',
    steps: [
      { name: 'Test', state: 'done' },
      { name: 'Flaky', state: 'warning' },
      { name: 'Share', state: 'done' },
      { name: 'Approve', state: 'done' },
      { name: 'Deploy', state: 'done' },
    ],
  });
  expect(await readFile(ran, 'utf8')).toBe('test 1\n');
  const log = await client.log(build);
  expect(log).toContain('[Deploy] tested\n[Deploy] to 5 percent\n');
  expect(log.match(/^Finished: /gm)).toHaveLength(1);
  const { body } = await client.get('/job/deploy/api/json');
  expect(body).toMatchObject({ nextBuildNumber: 2, inQueue: false });
  await server.end('SIGTERM');
});

describe.each(testDatabaseClients())('on %s', databaseClient => {
  it('goes on after a decision that nobody made in time', async () => {
    const { database, dispose } = await openTestDatabase(
      databaseClient,
      buildServer,
    );
    const job: Job = {
      name: 'lenient',
      steps: [
        {
          ...{ name: 'Hurry', approval: {}, timeoutSeconds: 1 },
          allowFailure: true,
        },
        { name: 'Approve', approval: {} },
      ],
    };
    const start = () =>
      startBuildServer({
        ...{ database, jobs: [job] },
        directory: path.join(directory, 'data'),
      });
    const first = await start();
    const client = new BuildClient(first.url);
    const build = await client.started(await client.trigger('lenient'));
    await waiting(client, build, 'Approve');
    await first.stop();

    const second = await start();
    const other = new BuildClient(second.url);
    await waiting(other, build, 'Approve');
    await other.json(`${build}approvals`, approve);
    expect(await other.ended(build)).toMatchObject({
      result: 'UNSTABLE',
      steps: [{ state: 'warning' }, { state: 'done' }],
    });
    await second.stop();
    await dispose();
  });

  it('can be followed, decided and cancelled until it resumes', async () => {
    const { database, dispose } = await openTestDatabase(
      databaseClient,
      buildServer,
    );
    const start = (executors: number) =>
      startBuildServer({
        ...{ database, jobs: [deploy(path.join(directory, 'ran'))] },
        ...{ directory: path.join(directory, 'data'), config: { executors } },
      });
    const first = await start(2);
    const client = new BuildClient(first.url);
    const build = await client.started(await client.trigger('deploy'));
    await waiting(client, build, 'Share');
    await first.stop();

    // Runs no builds, like a server whose executors are all busy.
    const second = await start(0);
    const other = new BuildClient(second.url);
    const json = async (address: string) => (await other.get(address)).body;
    expect((await json(`${build}approvals`)).approvals).toMatchObject([
      { step: 'Share', state: 'waiting', decidable: true },
    ]);
    const log = await other.get(`${build}logText/progressiveText`);
    expect(log.headers.get('x-more-data')).toBe('true');
    expect((await json(`${build}log/outline`)).more).toBe(true);
    expect((await json('/job/deploy/api/json')).color).toBe('notbuilt_anime');
    await other.post(`${build}stop`);
    expect(await other.ended(build)).toMatchObject({
      ...{ result: 'ABORTED', reason: 'Cancelled by token:dev' },
      steps: [
        { name: 'Test', state: 'done' },
        { name: 'Flaky', state: 'warning' },
        { name: 'Share', state: 'failed', finishedAt: expect.any(Number) },
        { name: 'Approve', state: 'pending' },
        { name: 'Deploy', state: 'pending' },
      ],
    });
    const { stages } = await json(`${build}wfapi/describe`);
    expect(stages.map(({ status }: { status: string }) => status)).toEqual([
      ...['SUCCESS', 'UNSTABLE', 'FAILED', 'NOT_EXECUTED', 'NOT_EXECUTED'],
    ]);
    expect(await other.log(build)).toMatch(
      /The build resumes\n\n==> Cancelled by token:dev\nFinished: ABORTED\n$/,
    );
    await second.stop();
    await dispose();
  });

  it('another replica resumes it, unless its files are gone, and its timeout continues', async () => {
    const { database, dispose } = await openTestDatabase(
      databaseClient,
      buildServer,
    );
    const data = path.join(directory, 'data');
    const hasty: Job = {
      name: 'hasty',
      steps: [{ name: 'Approve', approval: {}, timeoutSeconds: 3_600 }],
    };
    const jobs = [
      deploy(path.join(directory, 'ran')),
      { ...deploy(path.join(directory, 'gone')), name: 'gone' },
      hasty,
    ];
    let now = Date.now();
    const start = () =>
      startBuildServer({ database, directory: data, jobs, now: () => now });
    const first = await start();
    const client = new BuildClient(first.url);
    for (const { name, steps } of jobs) {
      const build = await client.started(await client.trigger(name));
      const { name: step } = steps.find(({ approval }) => approval)!;
      await waiting(client, build, step);
    }
    await first.stop();
    await rm(path.join(data, 'work/2'), { recursive: true });
    now += 3_601_000;

    const second = await start();
    const other = new BuildClient(second.url);
    expect(await other.ended('/job/gone/1/')).toMatchObject({
      result: 'ABORTED',
      reason: 'The build lost its place: its files are gone',
    });
    expect(await other.ended('/job/hasty/1/')).toMatchObject({
      result: 'FAILURE',
      reason: 'Approve failed: nobody decided within 3600 seconds',
    });
    const build = '/job/deploy/1/';
    await waiting(other, build, 'Share');
    expect(await other.log(build)).toContain(
      'The build server was shut down\nThe build resumes',
    );
    await other.json(`${build}approvals`, share);
    await waiting(other, build, 'Approve');
    await other.json(`${build}approvals`, { ...approve, decision: 'reject' });
    expect(await other.ended(build)).toMatchObject({
      result: 'FAILURE',
      reason: 'Approve failed: rejected by token:dev',
    });
    expect(await readFile(path.join(directory, 'ran'), 'utf8')).toBe(
      'test 1\n',
    );
    await second.stop();
    await dispose();
  });
});
