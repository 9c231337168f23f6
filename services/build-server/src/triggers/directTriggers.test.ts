import { testDatabaseClients } from '@slipway/service-kit/testing';
import type { BuildClient } from '../__testUtils__/BuildClient.ts';
import { type Contract, openContract } from '../__testUtils__/openContract.ts';

describe.each(testDatabaseClients())(
  'a direct trigger on %s',
  databaseClient => {
    let contract: Contract;
    let dev: BuildClient;

    beforeAll(async () => {
      contract = await openContract(databaseClient);
      ({ dev } = contract);
    });

    afterAll(() => contract.close());

    it('responds 201 with the absolute URL of the queue item, ending in a slash', async () => {
      const answer = await dev.post('/job/hello/build');
      expect(answer.status).toBe(201);
      const location = answer.headers.get('location');
      expect(location).toMatch(
        new RegExp(`^${contract.server.url}/queue/item/[1-9]\\d*/$`),
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

    it('accepts parameters as a form, as JSON, and in the query', async () => {
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

    it.each([
      '/job/hello/build/',
      '/job/hello/build/?delay=0',
      '/job/hello/buildWithParameters/',
    ])('at %s is taken with the slash at the end', async path => {
      const answer = await dev.post(path);
      expect(answer.status).toBe(201);
      await dev.ended(
        await dev.started(new URL(answer.headers.get('location')!).pathname),
      );
    });

    it('may declare its empty body as JSON', async () => {
      const answer = await dev.send('POST', '/job/hello/build', {
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(201);
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

    it('waits for its delay, as shown in the queue', async () => {
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
      // The number from the trigger's response.
      const number = `/job/hello/${body.buildNumber}/`;
      const never = await dev.get(`${number}api/json`);
      expect(never.body).toMatchObject({
        number: body.buildNumber,
        building: false,
        result: 'ABORTED',
        duration: 0,
        reason: 'Cancelled by token:dev',
      });
      expect((await dev.get(`${number}consoleText`)).text).toBe('');
      expect((await dev.get(`${number}testReport/api/json`)).status).toBe(404);
    });

    it('is cancelled by stopping its number', async () => {
      const answer = await dev.post('/job/hello/build?delay=60');
      const item = new URL(answer.headers.get('location')!).pathname;
      const { buildNumber } = (await dev.get(item)).body;
      const stopped = await dev.post(`/job/hello/${buildNumber}/stop`);
      expect(stopped.status).toBe(302);
      const target = new URL(stopped.headers.get('location')!).pathname;
      expect((await dev.get(target)).body).toMatchObject({
        result: 'ABORTED',
      });
      expect((await dev.get(item)).body.cancelled).toBe(true);
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

    it('with a long Idempotency-Key is told apart from others with the same start', async () => {
      const send = (end: string) =>
        dev.send('POST', '/job/hello/build', {
          headers: { 'idempotency-key': `${'k'.repeat(300)}${end}` },
        });
      const answers = [await send('1'), await send('2'), await send('1')];
      const [one, two, again] = answers.map(({ headers }) =>
        headers.get('location'),
      );
      expect(two).not.toBe(one);
      expect(again).toBe(one);
    });
  },
);
