import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  basic,
  READ_TOKEN,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';

const ADMIN = 'test-admin-token';
const JOB = {
  name: 'demo-cart-api',
  owner: 'group:demo/checkout',
  service: 'component:demo/cart-api',
  repository: 'harbour/cart-api',
};
const build = (number: number, more: object = {}) => ({
  job: JOB.name,
  number,
  triggered_by: 'user:demo/mira',
  started_at: `2026-10-0${number}T10:00:00Z`,
  finished_at: `2026-10-0${number}T10:04:00Z`,
  commits: [{ id: 'a'.repeat(40), message: 'Fix it', author: 'Mira' }],
  ...more,
});

let server: TestServer;
let admin: BuildClient;

beforeEach(async () => {
  server = await startBuildServer({
    config: {
      auth: {
        users: [
          { name: 'ops', key: ADMIN, scopes: ['read', 'trigger', 'admin'] },
          { name: 'viewer', key: READ_TOKEN, scopes: ['read'] },
        ],
      },
    },
  });
  admin = new BuildClient(server.url, basic('ops', ADMIN));
});

afterEach(() => server.stop());

const post = (body: object, client = admin) =>
  client.send('POST', '/api/samples', {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const names = async () => {
  const { body } = await admin.get('/api/json?tree=jobs[name]');
  return body.jobs.map(({ name }: { name: string }) => name);
};

it('adds jobs with builds of the past, and removes all of them', async () => {
  const before = await names();
  const added = await post({
    jobs: [JOB],
    builds: [
      build(1),
      build(2, {
        failed_step: 'Test',
        message: 'Exit code 1',
        log: 'AssertionError\n',
      }),
    ],
  });
  expect(added).toMatchObject({ status: 201, body: { jobs: 1, builds: 2 } });
  expect((await post({ builds: [build(1)] })).body).toEqual({
    jobs: 0,
    builds: 0,
  });

  const job = await admin.get(`/job/${JOB.name}/api/json`);
  expect(job.body).toMatchObject({ name: JOB.name, file: null });
  const last = await admin.get(`/job/${JOB.name}/lastBuild/api/json`);
  expect(last.body).toMatchObject({ number: 2, result: 'FAILURE' });
  expect(last.body.timestamp).toBe(Date.parse('2026-10-02T10:00:00Z'));
  expect(await admin.log(`/job/${JOB.name}/2/`)).toContain(
    '==> Check out\n==> Test\nAssertionError\n',
  );

  expect((await admin.send('DELETE', '/api/samples')).body).toEqual({
    jobs: 1,
  });
  expect(await names()).toEqual(before);
  expect(await readdir(path.join(server.directory, 'logs'))).toEqual([]);
  expect((await admin.get(`/job/${JOB.name}/1/api/json`)).status).toBe(404);
});

it('runs sample jobs for real: main succeeds, other branches fail', async () => {
  await post({ jobs: [JOB], builds: [build(1)] });
  const run = async (branch: string) => {
    const { headers } = await admin.send(
      'POST',
      `/job/${JOB.name}/buildWithParameters?BRANCH=${branch}`,
    );
    const item = new URL(headers.get('location')!).pathname;
    const started = await admin.started(item);
    return admin.ended(started);
  };
  expect(await run('main')).toMatchObject({ number: 2, result: 'SUCCESS' });
  expect(await run('fix')).toMatchObject({ number: 3, result: 'FAILURE' });
});

it.each([
  [{ jobs: [{ ...JOB, name: '../x' }] }, 400],
  [{ jobs: [{ ...JOB, owner: 'ada' }] }, 400],
  [{ builds: [build(1)] }, 400],
  [{ jobs: [{ ...JOB, name: 'hello' }] }, 409],
])('refuses %j', async (body, status) => {
  expect((await post(body)).status).toBe(status);
});

it('is for admins', async () => {
  const viewer = new BuildClient(server.url, basic('viewer', READ_TOKEN));
  expect((await post({ jobs: [JOB] }, viewer)).status).toBe(403);
  expect((await viewer.send('DELETE', '/api/samples')).status).toBe(403);
  const nobody = new BuildClient(server.url, null);
  expect((await post({}, nobody)).status).toBe(401);
});
