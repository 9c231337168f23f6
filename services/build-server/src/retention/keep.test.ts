import { access } from 'node:fs/promises';
import path from 'node:path';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  basic,
  READ_TOKEN,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';

const ADMIN_TOKEN = 'test-admin-token';

describe.each(testDatabaseClients())('a build that is kept on %s', client => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let server: TestServer;
  let dev: BuildClient;
  let viewer: BuildClient;
  let admin: BuildClient;

  beforeEach(async () => {
    database = await openTestDatabase(client, buildServer);
    server = await startBuildServer({
      database: database.database,
      jobs: [
        {
          name: 'job',
          steps: [{ name: 'Run', run: 'echo done > out.txt' }],
          artifacts: ['out.txt'],
          discardOldBuilds: { keepBuilds: 1 },
        },
        {
          name: 'full',
          steps: [{ name: 'Run', run: 'true' }],
          concurrent: true,
          maxKeptBuilds: 2,
        },
        {
          name: 'waiting',
          runsOn: ['a-label-of-nobody'],
          steps: [{ name: 'Run', run: 'true' }],
        },
        {
          name: 'shop',
          webhook: { token: 'other-webhook' },
          source: { repository: 'file:///nowhere/shop.git' },
          pipelines: {},
        } as never,
      ],
      config: {
        auth: {
          users: [
            { name: 'admin', key: ADMIN_TOKEN, scopes: ['read', 'admin'] },
            { name: 'viewer', key: READ_TOKEN },
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
    viewer = new BuildClient(server.url, basic('viewer', READ_TOKEN));
    admin = new BuildClient(server.url, basic('admin', ADMIN_TOKEN));
  });

  afterEach(async () => {
    await server.stop();
    await database.dispose();
  });

  const put = (who: BuildClient, build: string, body: object = {}) =>
    who.send('PUT', `/job/job/${build}/kept`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const remove = (who: BuildClient, build: string) =>
    who.send('DELETE', `/job/job/${build}/kept`);
  const numbers = async () =>
    (await dev.get('/job/job/api/json')).body.builds.map(
      ({ number }: { number: number }) => number,
    );

  it('outlives the limit of its job with its log and artifacts', async () => {
    await dev.build('job');
    expect((await put(dev, '1', { reason: ' Released ' })).status).toBe(204);
    const { body } = await viewer.get('/job/job/1/api/json');
    expect(body).toMatchObject({
      keepLog: true,
      kept: {
        by: 'token:dev',
        at: expect.any(Number),
        reason: 'Released',
      },
    });
    await dev.build('job');
    await dev.build('job');
    await vi.waitFor(async () => expect(await numbers()).toEqual([3, 1]), {
      timeout: 10_000,
    });
    expect((await dev.get('/job/job/1/consoleText')).status).toBe(200);
    expect((await dev.get('/job/job/1/artifact/out.txt')).text).toBe('done\n');
    const { body: job } = await dev.get('/job/job/api/json');
    expect(
      job.builds.map(({ keepLog }: { keepLog: boolean }) => keepLog),
    ).toEqual([false, true]);
    expect(job.keptBuilds).toMatchObject([{ number: 1, keepLog: true }]);

    expect((await remove(dev, '1')).status).toBe(204);
    await dev.build('job');
    await vi.waitFor(async () => expect(await numbers()).toEqual([4]), {
      timeout: 10_000,
    });
    await expect(
      access(path.join(server.directory, 'logs', '1.log')),
    ).rejects.toThrow('ENOENT');
  });

  it('is one of as many as its job may have', async () => {
    const kept = (method: 'PUT' | 'DELETE', number: number) =>
      dev.send(method, `/job/full/${number}/kept`, {
        ...(method === 'PUT' && { body: '{}' }),
        headers: { 'content-type': 'application/json' },
      });
    const counts = async () => {
      const { body } = await viewer.get('/job/full/api/json');
      return [body.keptCount, body.maxKeptBuilds];
    };
    for (let build = 0; build < 4; build += 1) {
      await dev.build('full');
    }
    expect(await counts()).toEqual([0, 2]);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(number => kept('PUT', number)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      204, 204, 409, 409,
    ]);
    expect(await counts()).toEqual([2, 2]);
    const numberKept = answers.findIndex(({ status }) => status === 204) + 1;
    const numberLeft = answers.findIndex(({ status }) => status === 409) + 1;
    expect(answers[numberLeft - 1].body.message).toBe(
      `No more than 2 builds of full can be kept (maxKeptBuilds); stop keeping one first, for example #${numberKept}`,
    );
    expect(
      (await dev.post(`/job/full/${numberLeft}/toggleLogKeep`)).status,
    ).toBe(409);
    // The reason of one that is kept can still be changed.
    expect((await kept('PUT', numberKept)).status).toBe(204);
    expect((await kept('DELETE', numberKept)).status).toBe(204);
    expect((await kept('PUT', numberLeft)).status).toBe(204);
    expect(await counts()).toEqual([2, 2]);
    const { body } = await viewer.get('/job/job/api/json');
    expect([body.keptCount, body.maxKeptBuilds]).toEqual([0, 20]);
  });

  it('is counted and listed although it was cancelled in the queue', async () => {
    const item = await dev.trigger('waiting');
    const id = /\d+/.exec(item)![0];
    expect((await dev.post(`/queue/cancelItem?id=${id}`)).status).toBe(204);
    const { status } = await dev.send('PUT', '/job/waiting/1/kept', {
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(204);
    const { body } = await viewer.get('/job/waiting/api/json');
    expect(body).toMatchObject({
      ...{ builds: [], keptCount: 1 },
      keptBuilds: [{ number: 1, keepLog: true }],
    });
  });

  it('is only for those who may run the job', async () => {
    await dev.build('job');
    const nobody = new BuildClient(server.url, null);
    const toggle = '/job/job/1/toggleLogKeep';
    for (const [who, status] of [
      [nobody, 401],
      [viewer, 403],
    ] as const) {
      expect((await put(who, '1')).status).toBe(status);
      expect((await remove(who, '1')).status).toBe(status);
      expect((await who.post(toggle)).status).toBe(status);
    }
    expect((await put(dev, '9')).status).toBe(404);
    expect((await remove(dev, '9')).status).toBe(404);
    expect((await dev.post('/job/job/9/toggleLogKeep')).status).toBe(404);
    expect((await put(dev, '1', { reason: 'x'.repeat(501) })).status).toBe(400);
    expect((await put(dev, '1', { reason: 'a\0b' })).status).toBe(400);
    expect((await put(dev, '1', { reason: 1 })).status).toBe(400);
    expect((await viewer.get('/job/job/1/api/json')).body).toMatchObject({
      keepLog: false,
      kept: null,
    });
  });

  it('is not of a branch that is gone, whose builds are deleted', async () => {
    const push = (after: string) =>
      dev.json('/generic-webhook-trigger/invoke?token=test-other-token', {
        ...{ ref: 'refs/heads/main', after },
      });
    expect((await push('a'.repeat(40))).body.jobs.shop.triggered).toBe(true);
    const build = '/job/shop%2Fmain/1';
    await dev.ended(`${build}/`);
    const keep = () =>
      dev.send('PUT', `${build}/kept`, {
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
    expect((await keep()).status).toBe(204);
    await push('0'.repeat(40));
    const refused = await keep();
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe(
      'Job shop/main was removed, and its builds are deleted with it',
    );
    expect((await dev.send('DELETE', `${build}/kept`)).status).toBe(204);
  });

  it('is toggled by clients of Jenkins, cannot be deleted, and is audited', async () => {
    await dev.build('job');
    const toggled = await dev.post('/job/job/1/toggleLogKeep');
    expect(toggled.status).toBe(302);
    expect(toggled.headers.get('location')).toBe(`${server.url}/job/job/1/`);
    expect((await dev.get('/job/job/lastBuild/api/json')).body.keepLog).toBe(
      true,
    );
    const refused = await admin.post('/job/job/1/doDelete');
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe(
      'Build job #1 is kept; stop keeping it first',
    );
    expect(
      (await dev.form('/job/job/1/toggleLogKeep/', { crumb: 'none' })).status,
    ).toBe(302);
    expect((await dev.get('/job/job/1/api/json')).body.kept).toBeNull();
    await put(dev, '1');
    await remove(dev, '1');
    const { body } = await admin.get('/api/v1/audit');
    expect(
      body.entries.map(({ by, action, target }: Record<string, string>) => [
        by,
        action,
        target,
      ]),
    ).toEqual([
      ['token:dev', 'Stop keeping a build', 'job / 1'],
      ['token:dev', 'Keep a build', 'job / 1'],
      ['token:dev', 'Keep a build, or stop keeping it', 'job / 1'],
      ['token:dev', 'Keep a build, or stop keeping it', 'job / 1'],
    ]);
    expect((await admin.post('/job/job/1/doDelete')).status).toBe(302);
  });
});
