import { testDatabaseClients } from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { type Contract, openContract } from '../__testUtils__/openContract.ts';
import {
  basic,
  READ_TOKEN,
  TRIGGER_TOKEN,
} from '../__testUtils__/startBuildServer.ts';

describe.each(testDatabaseClients())('access control on %s', databaseClient => {
  let contract: Contract;
  let dev: BuildClient;
  let viewer: BuildClient;
  let nobody: BuildClient;

  beforeAll(async () => {
    contract = await openContract(databaseClient);
    ({ dev, viewer, nobody } = contract);
  });

  afterAll(() => contract.close());

  it('401 without a credential and for a wrong one, 403 without the scope', async () => {
    const wrong = new BuildClient(contract.server.url, basic('dev', 'wrong'));
    const swapped = new BuildClient(
      contract.server.url,
      basic('viewer', TRIGGER_TOKEN),
    );
    for (const client of [nobody, wrong, swapped]) {
      for (const path of [
        '/job/hello/build',
        '/job/hello-parameters/buildWithParameters',
        '/job/none/build',
      ]) {
        const answer = await client.post(path);
        expect([answer.status, answer.body]).toEqual([
          401,
          { message: expect.any(String) },
        ]);
      }
      expect((await client.get('/job/hello/lastBuild/api/json')).status).toBe(
        401,
      );
    }
    const challenge = (await nobody.get('/api/json')).headers;
    expect(challenge.get('www-authenticate')).toMatch(/^Basic /);
    expect((await viewer.post('/job/hello/build')).status).toBe(403);
    // Permissions are checked before the body is parsed.
    const invalid = await viewer.json(
      '/job/hello-parameters/buildWithParameters',
      [],
    );
    expect(invalid.status).toBe(403);
    expect((await viewer.get('/api/json')).status).toBe(200);
  });

  it('a token as Bearer, without the name of its user', async () => {
    const as = (token: string) =>
      new BuildClient(contract.server.url, `Bearer ${token}`);
    const { status, headers } =
      await as(TRIGGER_TOKEN).post('/job/hello/build');
    expect(status).toBe(201);
    const item = new URL(headers.get('location')!).pathname;
    const build = await as(READ_TOKEN).started(item);
    expect(await as(READ_TOKEN).ended(build)).toMatchObject({
      cause: 'Triggered by token:dev',
    });
    expect((await as(READ_TOKEN).post('/job/hello/build')).status).toBe(403);
    expect((await as(READ_TOKEN).get('/whoAmI/api/json')).body).toMatchObject({
      name: 'viewer',
    });
    for (const token of ['wrong', `dev:${TRIGGER_TOKEN}`, `${READ_TOKEN} `]) {
      const answers = await Promise.all([
        as(`${token}x`).get('/job/hello/api/json'),
        as(`${token}x`).post('/job/hello/build'),
      ]);
      for (const answer of answers) {
        expect([answer.status, answer.body]).toEqual([
          401,
          { message: expect.any(String) },
        ]);
      }
    }
  });

  it('404 for a job that is not there', async () => {
    for (const path of ['/job/none/build', '/job/none/buildWithParameters']) {
      expect((await dev.post(path)).status).toBe(404);
    }
    expect((await dev.get('/job/none/lastBuild/api/json')).status).toBe(404);
  });

  it('users of the portal read; owners and trigger groups trigger', async () => {
    const [ada, grace, eve] = await Promise.all(
      ['ada', 'grace', 'eve'].map(name => contract.as(name)),
    );
    expect((await ada.post('/job/hello/build')).status).toBe(201);
    expect((await grace.post('/job/hello/build')).status).toBe(403);
    expect((await grace.post('/job/owned/build')).status).toBe(201);
    expect((await eve.post('/job/owned/build')).status).toBe(403);
    const { body } = await eve.get('/api/json');
    expect(body.jobs.map((job: { name: string }) => job.name)).toContain(
      'owned',
    );
    const seen = await grace.get('/job/owned/api/json');
    expect(seen.body.triggerable).toBe(true);
  });

  it('401 for a wrong build token of a job that has one', async () => {
    // The token is checked before other parameters.
    const wrong = await dev.post('/job/slow/build?token=wrong&delay=soon');
    expect(wrong.status).toBe(401);
    const right = await dev.post(
      '/job/slow/build?token=test-build-token&delay=60',
    );
    expect(right.status).toBe(201);
    await dev.post(
      `${new URL(right.headers.get('location')!).pathname}cancelQueue`,
    );
    const ignored = await dev.post('/job/hello/build?token=anything');
    expect(ignored.status).toBe(201);
  });

  it('403 before 404 for items that the caller may not cancel', async () => {
    const path = '/queue/cancelItem?id=999999';
    expect((await viewer.post(path)).status).toBe(403);
    expect((await dev.post(path)).status).toBe(404);
    const word = await dev.post('/queue/item/first/cancelQueue');
    expect(word.status).toBe(404);
  });

  it('405 with Allow for another method', async () => {
    for (const path of ['/job/hello/build', '/job/hello/build/']) {
      const get = await dev.get(path);
      expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const put = await dev.send('PUT', '/job/hello/build');
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
