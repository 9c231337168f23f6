import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  basic,
  HELLO,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';

const ADMIN_TOKEN = 'test-admin-token';

describe.each(testDatabaseClients())('on %s', client => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let server: TestServer;
  let dev: BuildClient;
  let admin: BuildClient;

  beforeAll(async () => {
    database = await openTestDatabase(client, buildServer);
    server = await startBuildServer({
      database: database.database,
      jobs: [
        HELLO,
        {
          name: 'nightly',
          webhook: { token: 'other-webhook' },
          steps: [{ name: 'A', run: 'exit 0' }],
        },
        { name: 'slow', steps: [{ name: 'A', run: 'sleep 60' }] },
      ],
      config: {
        auth: {
          users: [
            { name: 'admin', key: ADMIN_TOKEN, scopes: ['read', 'admin'] },
            {
              name: 'dev',
              key: 'test-api-token',
              scopes: ['read', 'trigger'],
            },
          ],
        },
      },
    });
    dev = new BuildClient(server.url);
    admin = new BuildClient(server.url, basic('admin', ADMIN_TOKEN));
  });

  afterAll(async () => {
    await server.stop();
    await database.dispose();
  });

  it('disables a job until it is enabled', async () => {
    const path = '/job/nightly';
    expect((await dev.post(`${path}/disable`)).status).toBe(403);
    expect((await admin.post('/job/none/disable')).status).toBe(404);
    expect(
      (await new BuildClient(server.url, null).post(`${path}/disable`)).status,
    ).toBe(401);

    const disabled = await admin.post(`${path}/disable`);
    expect(disabled.status).toBe(302);
    expect(disabled.headers.get('location')).toBe(`${server.url}${path}/`);
    expect((await admin.get(`${path}/api/json`)).body.manageable).toBe(true);
    expect((await dev.get(`${path}/api/json`)).body).toMatchObject({
      manageable: false,
      buildable: false,
      disabled: true,
      disabledBy: 'token:admin',
      color: 'disabled',
    });
    const refused = await dev.post(`${path}/build`);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe('Job nightly is disabled by token:admin');

    const { body: announced } = await dev.json(
      '/generic-webhook-trigger/invoke?token=test-other-token',
      { ref: 'refs/heads/main' },
    );
    expect(announced.jobs.nightly).toMatchObject({
      triggered: false,
      reason: 'The job is disabled by token:admin',
    });

    expect((await admin.post(`${path}/enable`)).status).toBe(302);
    expect((await dev.get(`${path}/api/json`)).body).toMatchObject({
      buildable: true,
      disabledBy: null,
    });
    expect((await dev.post(`${path}/build`)).status).toBe(201);
    const { body } = await admin.get('/api/v1/audit');
    expect(body.entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ by: 'token:admin', target: 'nightly' }),
      ]),
    );
  });

  it('keeps builds of a disabled job in the queue', async () => {
    await admin.post('/job/hello/disable');
    await admin.post('/job/hello/enable');
    const build = await dev.post('/job/hello/build?delay=5');
    const item = new URL(build.headers.get('location')!).pathname;
    await admin.post('/job/hello/disable');
    const { body } = await dev.get(`${item}api/json`);
    expect(body).toMatchObject({
      executable: null,
      why: expect.stringContaining('is disabled by token:admin'),
    });
    await admin.post('/job/hello/enable');
    await dev.ended(await dev.started(item));
  });

  it('deletes a build that has ended', async () => {
    const item = new URL(
      (await dev.post('/job/slow/build')).headers.get('location')!,
    ).pathname;
    const slow = await dev.started(item);
    expect((await admin.post(`${slow}doDelete`)).status).toBe(409);
    await dev.post(`${slow}stop`);
    await dev.ended(slow);

    expect((await dev.post(`${slow}doDelete`)).status).toBe(403);
    expect((await admin.post(`${slow}doDelete`)).status).toBe(302);
    expect((await dev.get(`${slow}api/json`)).status).toBe(404);
    expect((await dev.get(`${slow}consoleText`)).status).toBe(404);
    expect((await admin.post(`${slow}doDelete`)).status).toBe(404);
  });

  it('shows agents as nodes, and drains them', async () => {
    const invited = await admin.json('/agents/enrolments', { labels: ['gpu'] });
    await new BuildClient(server.url, null).json('/agent/enrolment', {
      token: invited.body.token,
      name: 'gpu-1',
      capacity: 2,
    });
    const list = await dev.get('/computer/api/json');
    expect(list.body.computer).toMatchObject([
      { displayName: 'Built-In Node', offline: false },
      { displayName: 'gpu-1', offline: true, numExecutors: 2 },
    ]);
    expect((await dev.get('/label/gpu/api/json')).body).toMatchObject({
      nodes: [{ nodeName: 'gpu-1' }],
      offline: true,
    });
    expect((await dev.get('/computer/none/api/json')).status).toBe(404);
    expect((await dev.post('/computer/gpu-1/toggleOffline')).status).toBe(403);
    expect((await admin.post('/computer/built-in/toggleOffline')).status).toBe(
      404,
    );
    const state = async () =>
      (await dev.get('/computer/gpu-1/api/json')).body.temporarilyOffline;
    await admin.post('/computer/gpu-1/toggleOffline?offlineMessage=later');
    expect(await state()).toBe(true);
    await admin.post('/computer/gpu-1/toggleOffline');
    expect(await state()).toBe(false);
  });
});
