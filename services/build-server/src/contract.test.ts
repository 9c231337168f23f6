import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from './__testUtils__/BuildClient.ts';
import {
  basic,
  HELLO,
  HELLO_PARAMETERS,
  READ_TOKEN,
  startBuildServer,
  type TestServer,
  TRIGGER_TOKEN,
} from './__testUtils__/startBuildServer.ts';

const SLOW = {
  name: 'slow',
  buildToken: 'build-token',
  steps: [{ name: 'Wait', run: 'echo waiting; sleep 30' }],
};
const OWNED = { ...HELLO, name: 'owned', owner: 'group:default/payments' };
const CHOOSY = {
  name: 'choosy',
  parameters: [
    { name: 'SIZE', type: 'choice' as const, choices: ['small', 'large'] },
    { name: 'LOUD', type: 'boolean' as const, default: 'false' },
  ],
  steps: [{ name: 'Say', run: 'echo "$SIZE $LOUD"' }],
};

describe.each(testDatabaseClients())('the contract on %s', databaseClient => {
  let portal: FakePortal;
  let server: TestServer;
  let dispose: () => Promise<void>;
  let dev: BuildClient;
  let viewer: BuildClient;
  let nobody: BuildClient;

  beforeAll(async () => {
    portal = await FakePortal.start({
      groups: {
        'user:default/ada': ['group:default/platform-admins'],
        'user:default/grace': ['group:default/payments'],
      },
    });
    const opened = await openTestDatabase(databaseClient);
    dispose = opened.dispose;
    server = await startBuildServer({
      database: opened.database,
      jobs: [HELLO, HELLO_PARAMETERS, SLOW, OWNED, CHOOSY],
      config: {
        portal: { baseUrl: portal.baseUrl },
        auth: { triggerGroups: ['group:default/platform-admins'] },
      },
    });
    dev = new BuildClient(server.url);
    viewer = new BuildClient(server.url, basic('viewer', READ_TOKEN));
    nobody = new BuildClient(server.url, null);
  });

  afterAll(async () => {
    await server.stop();
    await dispose();
    await portal.stop();
  });

  describe('a direct trigger', () => {
    it('answers 201 with the queue item, absolute and ended by a slash', async () => {
      const answer = await dev.post('/job/hello/build');
      expect(answer.status).toBe(201);
      const location = answer.headers.get('location');
      expect(location).toMatch(
        new RegExp(`^${server.url}/queue/item/[1-9]\\d*/$`),
      );
      expect(answer.body).toEqual({ location });
      const item = new URL(location!).pathname;
      expect((await dev.get(item)).status).toBe(200);
      const build = await dev.ended(await dev.started(item));
      expect(build).toMatchObject({
        result: 'SUCCESS',
        building: false,
        changeSet: { items: [] },
      });
    });

    it('takes parameters as a form, as JSON, and in the query', async () => {
      const path = '/job/hello-parameters/buildWithParameters';
      const sent = [
        await dev.form(path, { BRANCH: 'one', ENVIRONMENT: 'prod' }),
        await dev.json(path, { parameter: [{ name: 'BRANCH', value: 'two' }] }),
        await dev.post(`${path}?BRANCH=three`),
        await dev.form('/job/hello-parameters/build', { BRANCH: 'four' }),
        await dev.form('/job/hello-parameters/build', {
          json: '{"parameter": {"name": "BRANCH", "value": "five"}}',
        }),
      ];
      expect(sent.map(({ status }) => status)).toEqual(Array(5).fill(201));
      const logs = await Promise.all(
        sent.map(async ({ headers }) => {
          const item = new URL(headers.get('location')!).pathname;
          const build = await dev.started(item);
          await dev.ended(build);
          return (await dev.log(build)).split('\n')[2];
        }),
      );
      expect(logs).toEqual([
        'one to prod',
        'two to dev',
        'three to dev',
        'four to dev',
        'five to dev',
      ]);
    });

    it('drops parameters that the job does not declare', async () => {
      const build = await dev.build('hello-parameters', {
        BRANCH: 'main',
        LD_PRELOAD: '/tmp/evil.so',
      });
      expect(build.parameters).toEqual({ BRANCH: 'main', ENVIRONMENT: 'dev' });
    });

    it.each([
      ['hello-parameters', {}, 'Parameter BRANCH is required'],
      ['hello-parameters', { BRANCH: '' }, 'Parameter BRANCH is required'],
      [
        'choosy',
        { SIZE: 'huge' },
        'Parameter SIZE must be one of small, large',
      ],
      ['choosy', { LOUD: 'yes' }, 'Parameter LOUD must be true or false'],
    ])('of %s with %o is 400', async (job, fields, message) => {
      const answer = await dev.form(
        `/job/${job}/buildWithParameters`,
        fields as Record<string, string>,
      );
      expect([answer.status, answer.body]).toEqual([400, { message }]);
      expect(answer.headers.get('x-error')).toBe(message);
    });

    it.each([
      '[]',
      '"text"',
      '{"parameter": [1]}',
      '{"parameter": [{"name": "BRANCH", "value": {}}]}',
      '{"parameter": [{"value": "main"}]}',
      '{',
      '{"parameter": [{"name": "BRANCH", "value": "\\u0000"}]}',
    ])('with the body %s is 400', async body => {
      const answer = await dev.send(
        'POST',
        '/job/hello-parameters/buildWithParameters',
        { body, headers: { 'content-type': 'application/json' } },
      );
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: expect.any(String) },
      ]);
    });

    it('of another media type is 400, of a large body 413', async () => {
      const path = '/job/hello-parameters/buildWithParameters';
      const xml = await dev.send('POST', path, {
        body: '<a/>',
        headers: { 'content-type': 'application/xml' },
      });
      expect(xml.status).toBe(400);
      const large = await dev.form(path, { BRANCH: 'x'.repeat(1_100_000) });
      expect([large.status, large.body]).toEqual([
        413,
        { message: 'The request body is too large' },
      ]);
      const endless = await dev.form(path, { BRANCH: 'x'.repeat(200_000) });
      expect(endless.status).toBe(400);
    });

    it('waits for its delay, and says so in the queue', async () => {
      const answer = await dev.post('/job/hello/build?delay=60');
      const item = new URL(answer.headers.get('location')!).pathname;
      const { body } = await dev.get(`${item}api/json`);
      expect(body).toMatchObject({
        why: expect.stringMatching(
          /^In the quiet period\. Expires in \d+ sec$/,
        ),
        executable: null,
        cancelled: false,
        task: { name: 'hello' },
      });
      const queue = await dev.get('/queue/api/json');
      expect(queue.body.items).toMatchObject([{ id: body.id }]);
      const unborn = await dev.get(`/job/hello/${body.buildNumber}/api/json`);
      expect(unborn.status).toBe(404);

      const cancelled = await dev.post(`${item}cancelQueue`);
      expect(cancelled.status).toBe(302);
      const after = await dev.get(item);
      expect(after.body).toMatchObject({ cancelled: true, executable: null });
    });

    it.each(['-1', 'soon', '1.5', '999999999'])(
      'with the delay %s is 400',
      async delay => {
        const answer = await dev.post(`/job/hello/build?delay=${delay}`);
        expect(answer.status).toBe(400);
      },
    );

    it('with an Idempotency-Key is one build however often it is sent', async () => {
      const headers = { 'idempotency-key': 'once' };
      const send = () => dev.send('POST', '/job/hello/build', { headers });
      const answers = await Promise.all([send(), send(), send()]);
      const locations = answers.map(answer => answer.headers.get('location'));
      expect(new Set(locations).size).toBe(1);
    });
  });

  describe('permissions', () => {
    it('401 without a credential and for a wrong one, 403 without the scope', async () => {
      const wrong = new BuildClient(server.url, basic('dev', 'wrong'));
      const swapped = new BuildClient(
        server.url,
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
      // The permission is asked before the body is looked at.
      const invalid = await viewer.json(
        '/job/hello-parameters/buildWithParameters',
        [],
      );
      expect(invalid.status).toBe(403);
      expect((await viewer.get('/api/json')).status).toBe(200);
    });

    it('404 for a job that is not there', async () => {
      for (const path of ['/job/none/build', '/job/none/buildWithParameters']) {
        expect((await dev.post(path)).status).toBe(404);
      }
      expect((await dev.get('/job/none/lastBuild/api/json')).status).toBe(404);
    });

    it('users of the portal read; owners and trigger groups trigger', async () => {
      const as = async (name: string) =>
        new BuildClient(
          server.url,
          `Bearer ${await portal.token(`user:default/${name}`)}`,
        );
      const [ada, grace, eve] = await Promise.all(
        ['ada', 'grace', 'eve'].map(as),
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
      // Before what is wrong with the rest.
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

    it('405 with Allow for another method', async () => {
      const answer = await dev.get('/job/hello/build/');
      expect(answer.status).toBe(404);
      const put = await dev.send('PUT', '/job/hello/build');
      expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST']);
    });
  });

  describe('a build', () => {
    it('is 404 as lastBuild of a job that was never built', async () => {
      const answer = await dev.get('/job/choosy/lastBuild/api/json');
      expect([answer.status, answer.body]).toEqual([
        404,
        { message: 'choosy has no lastBuild' },
      ]);
    });

    it('is building, then stopped by hand', async () => {
      const build = await dev.started(await dev.trigger('slow'));
      const running = await dev.get('/job/slow/lastBuild/api/json');
      expect(running.body).toMatchObject({
        building: true,
        result: null,
        duration: 0,
        number: expect.any(Number),
        timestamp: expect.any(Number),
        url: server.url + build,
      });
      await dev.logHas(build, 'waiting\n');
      expect((await viewer.post(`${build}stop`)).status).toBe(403);
      const stopped = await dev.post(`${build}stop`);
      expect(stopped.status).toBe(302);
      const target = new URL(stopped.headers.get('location')!).pathname;
      expect((await dev.get(target)).status).toBe(200);
      const ended = await dev.ended(build);
      expect(ended).toMatchObject({
        result: 'ABORTED',
        building: false,
        reason: 'Stopped by dev',
      });
      expect(ended.duration).toBeGreaterThan(0);
      // Asked again, it stays as it is.
      expect((await dev.post(`${build}stop`)).status).toBe(302);
    });

    it('of a serial job waits for the one before', async () => {
      const first = await dev.started(await dev.trigger('slow'));
      const second = await dev.trigger('slow');
      const { body } = await dev.get(second);
      expect(body).toMatchObject({
        blocked: true,
        why: expect.stringMatching(/^Build #\d+ is already in progress$/),
      });
      await dev.post(`${first}stop`);
      const build = await dev.started(second);
      expect((await dev.ended(first)).result).toBe('ABORTED');
      await dev.post(`${build}stop`);
      await dev.ended(build);
    });

    it('tells its log as it grows', async () => {
      const build = await dev.started(await dev.trigger('slow'));
      await dev.logHas(build, 'waiting\n');
      const path = `${build}logText/progressiveText`;
      const first = await dev.get(path);
      expect(first.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(first.headers.get('x-more-data')).toBe('true');
      const size = Number(first.headers.get('x-text-size'));
      expect(size).toBe(Buffer.byteLength(first.text));
      const rest = await dev.form(path, { start: String(size) });
      expect([rest.text, rest.headers.get('x-text-size')]).toEqual([
        '',
        String(size),
      ]);
      const over = await dev.get(`${path}?start=${size + 1}`);
      expect(over.text).toBe(first.text);
      await dev.post(`${build}stop`);
      await dev.ended(build);
      const last = await dev.get(`${path}?start=${size}`);
      expect(last.headers.get('x-more-data')).toBeNull();
      expect(last.text).toContain('Finished: ABORTED');
      const json = await dev.get(`${build}log?start=${size}`);
      expect(json.body).toEqual({
        text: last.text,
        end: size + Buffer.byteLength(last.text),
        more: false,
      });
    });
  });

  it('describes itself, is healthy, and counts builds', async () => {
    const { body } = await nobody.get('/openapi.json');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/generic-webhook-trigger/invoke',
        '/job/{job}/build',
        '/job/{job}/buildWithParameters',
        '/job/{job}/{build}/api/json',
      ]),
    );
    expect((await nobody.get('/health')).status).toBe(200);
    expect((await nobody.get('/ready')).status).toBe(200);
    const metrics = await nobody.get('/metrics');
    expect(metrics.text).toMatch(/builds_total\{result="SUCCESS"\} [1-9]/);
  });

  it('limits nobody by default', async () => {
    const answer = await dev.get('/api/json');
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });
});
