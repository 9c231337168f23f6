import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  basic,
  HELLO,
  READ_TOKEN,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';
import { AboutStore } from '../storage/AboutStore.ts';

describe.each(testDatabaseClients())('a build on %s', databaseClient => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let server: TestServer;
  let dev: BuildClient;
  let viewer: BuildClient;

  beforeAll(async () => {
    database = await openTestDatabase(databaseClient, buildServer);
    server = await startBuildServer({
      database: database.database,
      jobs: [HELLO],
    });
    dev = new BuildClient(server.url);
    viewer = new BuildClient(server.url, basic('viewer', READ_TOKEN));
    await dev.build('hello');
  });

  afterAll(async () => {
    await server.stop();
    await database.dispose();
  });

  const put = (who: BuildClient, body: unknown, build = '1') =>
    who.send('PUT', `/job/hello/${build}/about`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const read = async () => (await viewer.get('/job/hello/1/api/json')).body;

  it('is named and described by whoever may run its job', async () => {
    expect(await read()).toMatchObject({
      ...{ displayName: '#1', fullDisplayName: 'hello #1', description: null },
    });
    const about = { displayName: ' 2.4.0 ', description: 'First\nSecond\n' };
    expect((await put(dev, about)).status).toBe(204);
    const expected = {
      ...{ displayName: '2.4.0', fullDisplayName: 'hello 2.4.0' },
      description: 'First\nSecond',
    };
    expect(await read()).toMatchObject(expected);
    const { body: job } = await viewer.get('/job/hello/api/json');
    expect(job.builds).toMatchObject([expected]);
    expect((await put(dev, {})).status).toBe(204);
    expect(await read()).toMatchObject({
      ...{ displayName: '#1', description: null },
    });
  });

  it('is described by clients of Jenkins, which leave its name', async () => {
    await put(dev, { displayName: '2.4.0' });
    const path = '/job/hello/1/submitDescription';
    const answer = await dev.form(path, { description: 'Released & tested' });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`${server.url}/job/hello/1/`);
    expect(await read()).toMatchObject({
      ...{ displayName: '2.4.0', description: 'Released & tested' },
    });
    expect((await dev.post(`${path}?description=Tested`)).status).toBe(302);
    expect((await read()).description).toBe('Tested');
    expect((await dev.form(path, { description: '' })).status).toBe(302);
    expect((await read()).description).toBeNull();
    expect((await dev.form(path, { other: 'a' })).status).toBe(400);
    expect(
      (await dev.form(path, { description: 'x'.repeat(1_001) })).status,
    ).toBe(400);
    expect((await viewer.form(path, { description: 'a' })).status).toBe(403);
    expect(
      (
        await new BuildClient(server.url, null).form(path, {
          description: 'a',
        })
      ).status,
    ).toBe(401);
    expect(
      (await dev.form('/job/hello/9/submitDescription', { description: 'a' }))
        .status,
    ).toBe(404);
  });

  it('is not named by others, nor with anything else', async () => {
    const nobody = new BuildClient(server.url, null);
    expect((await put(nobody, {})).status).toBe(401);
    expect((await put(viewer, {})).status).toBe(403);
    expect((await put(dev, {}, '9')).status).toBe(404);
    for (const body of [
      { displayName: 'x'.repeat(101) },
      { description: 'x'.repeat(1_001) },
      { displayName: 'a\0b' },
      { displayName: '2.4.0\nFailed' },
      { displayName: '2.4.0\u2028Failed' },
      { description: 7 },
    ]) {
      expect((await put(dev, body)).status).toBe(400);
    }
  });

  it('loses neither part if two people change it at once', async () => {
    const build = (await dev.get('/job/hello/1/api/json')).body;
    const store = new AboutStore(database.database);
    await Promise.all([
      store.change(build.queueId, { displayName: '3.0.0' }),
      store.change(build.queueId, { description: 'Both' }),
    ]);
    expect(await read()).toMatchObject({
      ...{ displayName: '3.0.0', description: 'Both' },
    });
    expect(await store.change(4_711, {})).toBe(false);
  });
});
