import type { Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  ADMIN_TOKEN,
  callsTo,
  CLIENT_TOKEN,
  startFeatureFlags,
} from './__testUtils__/startFeatureFlags.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const registration = {
  appName: 'shop',
  instanceId: 'shop-1',
  sdkVersion: 'unleash-node-sdk:6.12.1',
  strategies: ['default', 'gradualRolloutUserId'],
  started: '2026-11-21T10:00:00.000Z',
  interval: 60_000,
};

describe.each(testDatabaseClients())('the contract on %s', client => {
  let service: Service;
  let calls: ReturnType<typeof callsTo>;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    const test = await openTestDatabase(client);
    dispose = test.dispose;
    service = await startFeatureFlags({ database: test.database });
    calls = callsTo(service);
  });

  afterEach(async () => {
    await service.stop();
    await dispose();
  });

  const anError = (name: string, message: unknown = expect.any(String)) => ({
    name,
    message,
    details: [{ message }],
  });

  describe('creating a flag', () => {
    const flag = {
      name: 'checkout.new-form_2~x',
      description: 'The new form',
      type: 'release',
      enabled: true,
      stale: false,
      strategies: [
        {
          name: 'gradualRolloutUserId',
          parameters: { percentage: '50', groupId: 'checkout' },
        },
      ],
    };

    it('answers 201 with the flag, and lists it', async () => {
      const created = await calls.admin('POST', '/features', {
        ...flag,
        unknown: 1,
      });
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        ...flag,
        project: 'default',
        impressionData: false,
        variants: [],
        archived: false,
        createdAt: expect.stringMatching(TIME),
        updatedAt: expect.stringMatching(TIME),
      });
      expect(created.headers.location).toBe(`/api/admin/features/${flag.name}`);
      for (const path of ['/features', '/features/']) {
        const list = await calls.admin('GET', path);
        expect(list.status).toBe(200);
        expect(list.body).toEqual({ version: 2, features: [created.body] });
      }
      const one = await calls.admin('GET', `/features/${flag.name}`);
      expect(one.body).toEqual(created.body);
    });

    it('gives what is left out a default', async () => {
      const { body } = await calls.admin('POST', '/features', { name: 'a' });
      expect(body).toMatchObject({
        description: '',
        type: 'release',
        enabled: false,
        stale: false,
        strategies: [{ name: 'default', parameters: {} }],
      });
    });

    it('takes null for what is left out', async () => {
      const { status, body } = await calls.admin('POST', '/features', {
        name: 'nulls',
        description: null,
        type: null,
        enabled: null,
        stale: null,
        strategies: null,
        variants: null,
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        description: '',
        type: 'release',
        enabled: false,
        stale: false,
        strategies: [{ name: 'default', parameters: {} }],
        variants: [],
      });
    });

    it('answers 409 for a name that is taken, also by an archived flag', async () => {
      await calls.create('taken');
      const again = await calls.create('taken');
      expect(again.status).toBe(409);
      expect(again.body).toEqual(
        anError('NameExistsError', 'A flag with the name taken exists'),
      );
      await calls.admin('DELETE', '/features/taken');
      const archived = await calls.create('taken');
      expect(archived.status).toBe(409);
      expect(archived.body.message).toMatch(/^An archived flag has the name/);
    });

    it('lets one of many creations at once win', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => calls.create('race')),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        201, 409, 409, 409, 409, 409, 409, 409,
      ]);
    });

    it.each<[string, object | string, string]>([
      ['no name', {}, 'name is required'],
      ['an empty name', { name: '' }, 'name must not be empty'],
      [
        'a name that no path has',
        { name: 'a b' },
        'name must be URL friendly: letters',
      ],
      ['two dots', { name: '..' }, 'name must be URL friendly: letters'],
      ['a name too long', { name: 'a'.repeat(101) }, 'at most 100'],
      ['a number', { name: 'a', enabled: 1 }, 'enabled must be of type'],
      [
        'a parameter that is no text',
        {
          name: 'a',
          strategies: [{ name: 'default', parameters: { percentage: 5 } }],
        },
        'strategies.0.parameters.percentage must be of type string',
      ],
      [
        'a rollout over 100',
        {
          name: 'a',
          strategies: [
            { name: 'flexibleRollout', parameters: { rollout: '101' } },
          ],
        },
        'strategies.0.parameters.rollout must be a whole number',
      ],
      [
        'a rollout without its share',
        { name: 'a', strategies: [{ name: 'gradualRolloutUserId' }] },
        'strategies.0.parameters.percentage is required',
      ],
      ['no JSON', '{"name":', 'The request body is not valid JSON'],
      ['a list', [], 'body must be of type object'],
    ])('answers 400 for %s', async (_what, payload, message) => {
      const answer = await calls.send('POST', '/api/admin/features', {
        token: ADMIN_TOKEN,
        headers: { 'content-type': 'application/json' },
        payload,
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(
        anError('BadDataError', expect.stringContaining(message)),
      );
    });

    it('answers 400 for another media type and 413 for too much', async () => {
      const text = await calls.send('POST', '/api/admin/features', {
        token: ADMIN_TOKEN,
        headers: { 'content-type': 'text/plain' },
        payload: 'name=a',
      });
      expect([text.status, text.body.name]).toEqual([400, 'BadDataError']);
      const large = await calls.create('a', {
        description: 'a'.repeat(1024 * 1024),
      });
      expect([large.status, large.body.name]).toEqual([
        413,
        'PayloadTooLargeError',
      ]);
    });
  });

  describe('toggling', () => {
    it('answers 200 with the flag, twice the same, and clients see it at once', async () => {
      await calls.create('checkout');
      for (const state of ['on', 'on', 'off', 'on'] as const) {
        const answer = await calls.admin(
          'POST',
          `/features/checkout/toggle/${state}`,
        );
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({
          name: 'checkout',
          enabled: state === 'on',
        });
        expect(await calls.features()).toMatchObject([
          { name: 'checkout', enabled: state === 'on' },
        ]);
      }
      const { body } = await calls.admin('GET', '/events?featureName=checkout');
      // What was so already is no change.
      expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
        'feature-updated',
        'feature-updated',
        'feature-updated',
        'feature-created',
      ]);
    });

    it('answers 404 for an unknown flag, another state and an archived flag', async () => {
      const unknown = await calls.admin('POST', '/features/none/toggle/on');
      expect(unknown.status).toBe(404);
      expect(unknown.body).toEqual(
        anError('NotFoundError', 'There is no flag none'),
      );
      await calls.create('old');
      const state = await calls.admin('POST', '/features/old/toggle/maybe');
      expect(state.status).toBe(404);
      await calls.admin('DELETE', '/features/old');
      const archived = await calls.admin('POST', '/features/old/toggle/on');
      expect(archived.status).toBe(404);
    });

    it('answers 405 with Allow for another method', async () => {
      const answer = await calls.admin('GET', '/features/a/toggle/on');
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
      expect(answer.body.name).toBe('MethodNotAllowedError');
    });
  });

  it('changes what is given, archives and revives', async () => {
    await calls.create('search', { enabled: true, description: 'Before' });
    const changed = await calls.admin('PATCH', '/features/search', {
      stale: true,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: '25' } }],
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      description: 'Before',
      enabled: true,
      stale: true,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: '25' } }],
    });

    const archived = await calls.admin('DELETE', '/features/search');
    expect([archived.status, archived.body.archived]).toEqual([200, true]);
    expect(await calls.features()).toEqual([]);
    const { body: inUse } = await calls.admin('GET', '/features');
    expect(inUse.features).toEqual([]);
    const { body: old } = await calls.admin('GET', '/features?archived=true');
    expect(old.features).toHaveLength(1);

    const revived = await calls.admin('POST', '/archive/revive/search');
    expect(revived.body).toMatchObject({ archived: false, enabled: false });
    expect(await calls.features()).toMatchObject([{ name: 'search' }]);
  });

  it('tells who changed what, and what it was before', async () => {
    await calls.create('search');
    await calls.admin('PATCH', '/features/search', { description: 'After' });
    const { status, body } = await calls.admin(
      'GET',
      '/events?featureName=search&limit=1',
    );
    expect(status).toBe(200);
    expect(body.events).toEqual([
      {
        id: expect.any(Number),
        type: 'feature-updated',
        featureName: 'search',
        environment: 'development',
        createdBy: 'test-admin',
        createdAt: expect.stringMatching(TIME),
        preData: expect.objectContaining({ description: '' }),
        data: expect.objectContaining({ description: 'After' }),
      },
    ]);
    const { body: older } = await calls.admin(
      'GET',
      `/events?before=${body.events[0].id}`,
    );
    expect(older.events).toMatchObject([
      { type: 'feature-created', preData: null },
    ]);
    // No database counts as far.
    const beyond = await calls.admin('GET', '/events?before=1e20');
    expect(beyond.status).toBe(400);
  });

  describe('the flags of a client', () => {
    it('are what SDKs read', async () => {
      await calls.create('checkout', {
        enabled: true,
        strategies: [
          { name: 'flexibleRollout', parameters: { rollout: '50' } },
        ],
        variants: [{ name: 'red', weight: 1000, payload: { type: 'string' } }],
      });
      const answer = await calls.client('GET', '/features');
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': '999',
        'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
        etag: expect.stringMatching(/^W\/"[0-9a-f]{12}:1"$/),
        vary: 'Origin, Accept-Encoding',
      });
      expect(answer.body).toEqual({
        version: 2,
        features: [
          {
            name: 'checkout',
            type: 'release',
            project: 'default',
            enabled: true,
            stale: false,
            impressionData: false,
            description: '',
            strategies: [
              {
                name: 'flexibleRollout',
                parameters: { rollout: '50' },
                constraints: [],
              },
            ],
            variants: [
              { name: 'red', weight: 1000, payload: { type: 'string' } },
            ],
          },
        ],
        query: { project: ['*'], environment: 'development' },
        meta: { revisionId: 1, etag: answer.headers.etag },
      });
    });

    it('are 304 without a body until something changes', async () => {
      await calls.create('checkout');
      const first = await calls.client('GET', '/features');
      const etag = String(first.headers.etag);
      const ask = (ifNoneMatch: string) =>
        calls.send('GET', '/api/client/features', {
          token: CLIENT_TOKEN,
          headers: { 'if-none-match': ifNoneMatch },
        });
      for (const sent of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
        const answer = await ask(sent);
        expect([answer.status, answer.text]).toEqual([304, '']);
        expect(answer.headers.etag).toBe(etag);
      }
      expect((await ask('"other"')).status).toBe(200);
      await calls.admin('POST', '/features/checkout/toggle/on');
      const changed = await ask(etag);
      expect(changed.status).toBe(200);
      expect(changed.headers.etag).not.toBe(etag);
    });

    it('come packed for who takes that', async () => {
      await calls.create('large', { description: 'a'.repeat(5_000) });
      const { headers, rawPayload } = await service.app.inject({
        url: '/api/client/features',
        headers: { authorization: CLIENT_TOKEN, 'accept-encoding': 'gzip' },
      });
      expect(headers['content-encoding']).toBe('gzip');
      expect(rawPayload.length).toBeLessThan(1_000);
      const plain = await calls.send('GET', '/api/client/features', {
        token: CLIENT_TOKEN,
        headers: { 'accept-encoding': 'gzip;q=0' },
      });
      expect(plain.body.features).toHaveLength(1);
    });

    it('are those of the projects and the prefix that are asked for', async () => {
      await calls.create('pay.one', { project: 'payments' });
      await calls.create('pay.two', { project: 'search' });
      await calls.create('other');
      const { body } = await calls.admin('POST', '/api-tokens', {
        tokenName: 'payments',
        type: 'client',
        projects: ['payments'],
      });
      const ask = async (query: string, token = CLIENT_TOKEN) => {
        const answer = await calls.send(
          'GET',
          `/api/client/features?${query}`,
          { token },
        );
        return answer.body.features.map((flag: { name: string }) => flag.name);
      };
      expect(await ask('project=payments')).toEqual(['pay.one']);
      expect(await ask('project=payments&project=search')).toEqual([
        'pay.one',
        'pay.two',
      ]);
      expect(await ask('namePrefix=pay.')).toEqual(['pay.one', 'pay.two']);
      expect(await ask('project=search&namePrefix=o')).toEqual([]);
      expect(await ask('project=*')).toHaveLength(3);
      expect(await ask('project=')).toHaveLength(3);
      // A token shows no more for being asked.
      expect(await ask('project=*', body.secret)).toEqual(['pay.one']);
      expect(await ask('project=search', body.secret)).toEqual([]);
      const etag = async (query: string) => {
        const path = `/features?${query}`;
        return (await calls.client('GET', path)).headers.etag;
      };
      expect(await etag('namePrefix=pay.')).not.toBe(await etag(''));
    });

    it('are those of the projects of the token', async () => {
      await calls.create('one', { project: 'payments' });
      await calls.create('other');
      const { body } = await calls.admin('POST', '/api-tokens', {
        tokenName: 'payments',
        type: 'client',
        projects: ['payments'],
      });
      expect(body.secret).toMatch(/^payments:development\.[0-9a-f]{56}$/);
      expect(await calls.features(body.secret)).toMatchObject([
        { name: 'one' },
      ]);
    });
  });

  describe('registering', () => {
    it('answers 202 without a body, also to what SDKs add', async () => {
      const answer = await calls.client('POST', '/register', {
        ...registration,
        connectionId: 'x',
        yggdrasilVersion: null,
        specVersion: '5.2.0',
      });
      expect([answer.status, answer.text]).toEqual([202, '']);
      const nulls = await calls.client('POST', '/register', {
        ...registration,
        instanceId: null,
        sdkVersion: null,
      });
      expect(nulls.status).toBe(202);
      const { body } = await calls.admin('GET', '/metrics/applications');
      expect(body.applications).toEqual([
        {
          appName: 'shop',
          instances: 2,
          sdkVersions: ['unleash-node-sdk:6.12.1'],
          seenAt: expect.stringMatching(TIME),
        },
      ]);
    });

    it.each(['appName', 'strategies', 'started', 'interval'])(
      'answers 400 without %s',
      async field => {
        const answer = await calls.client('POST', '/register', {
          ...registration,
          [field]: undefined,
        });
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual(
          anError('BadDataError', `${field} is required`),
        );
      },
    );

    it.each([{ interval: -1 }, { interval: '60' }, { started: 'now' }])(
      'answers 400 for %o',
      async wrong => {
        const answer = await calls.client('POST', '/register', {
          ...registration,
          ...wrong,
        });
        expect(answer.status).toBe(400);
      },
    );
  });

  describe('usage', () => {
    it('answers 202 without a body, and adds up over reports and applications', async () => {
      await calls.create('checkout');
      const first = await calls.report('checkout', { yes: 3, no: 1 });
      expect([first.status, first.text]).toEqual([202, '']);
      await calls.report('checkout', { yes: 2, no: 0, appName: 'app' });
      await calls.report('nobody-knows', { yes: 1, no: 1 });
      const { status, body } = await calls.admin(
        'GET',
        '/metrics/features/checkout',
      );
      expect(status).toBe(200);
      expect(body).toEqual({
        featureName: 'checkout',
        lastHourUsage: { yes: 5, no: 1 },
        seenApplications: ['app', 'web'],
      });
      const unknown = await calls.admin(
        'GET',
        '/metrics/features/nobody-knows',
      );
      expect([unknown.status, unknown.body.name]).toEqual([
        404,
        'NotFoundError',
      ]);
    });

    it('knows hours and days, and forgets the last hour after an hour', async () => {
      await calls.create('checkout');
      const now = Date.now();
      const at = (hoursAgo: number) => new Date(now - hoursAgo * 3_600_000);
      await calls.report('checkout', { yes: 1, no: 0, at: at(0) });
      await calls.report('checkout', { yes: 10, no: 2, at: at(2) });
      await calls.report('checkout', { yes: 100, no: 0, at: at(24 * 100) });
      await calls.report('checkout', { yes: 1, no: 1, at: at(-5) });
      const { body } = await calls.admin('GET', '/metrics/features/checkout');
      expect(body.lastHourUsage).toEqual({ yes: 2, no: 1 });
      const { body: hours } = await calls.admin(
        'GET',
        '/metrics/features/checkout/usage?interval=hour&count=3',
      );
      expect(hours.usage).toEqual([
        { timestamp: expect.stringMatching(/:00:00\.000Z$/), yes: 10, no: 2 },
        { timestamp: expect.any(String), yes: 0, no: 0 },
        { timestamp: expect.any(String), yes: 2, no: 1 },
      ]);
      const { body: all } = await calls.admin(
        'GET',
        '/metrics/usage?interval=day&count=2',
      );
      expect(all.features).toHaveLength(1);
      const sum = all.features[0].usage.reduce(
        (total: number, { yes }: { yes: number }) => total + yes,
        0,
      );
      expect(sum).toBe(12);
    });

    it.each<[string, object]>([
      ['no bucket', { appName: 'a' }],
      ['no appName', { bucket: {} }],
      [
        'a negative count',
        {
          appName: 'a',
          bucket: {
            start: '2026-11-21T10:00:00Z',
            stop: '2026-11-21T10:01:00Z',
            toggles: { a: { yes: -1, no: 0 } },
          },
        },
      ],
      [
        'an end before its start',
        {
          appName: 'a',
          bucket: {
            start: '2026-11-21T10:02:00Z',
            stop: '2026-11-21T10:01:00Z',
            toggles: {},
          },
        },
      ],
      [
        'a time that is none',
        { appName: 'a', bucket: { start: 'x', stop: 'y', toggles: {} } },
      ],
    ])('answers 400 for %s', async (_what, payload) => {
      const answer = await calls.client('POST', '/metrics', payload);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(anError('BadDataError'));
    });

    it.each([
      ['2016-12-31T23:59:60Z', 400],
      ['2026-11-21T10:00:00+05:30', 202],
      ['2026-11-21T10:00:00+05', 400],
      ['2026-11-21T10:00:00', 202],
      ['2026-11-21', 202],
    ])('answers to the time %s with %d', async (time, status) => {
      const report = await calls.client('POST', '/metrics', {
        appName: 'a',
        bucket: { start: time, stop: time, toggles: {} },
      });
      expect(report.status).toBe(status);
      const registered = await calls.client('POST', '/register', {
        appName: 'a',
        strategies: [],
        started: time,
        interval: 1,
      });
      expect(registered.status).toBe(status);
    });

    it('takes a report about other things alone', async () => {
      const answer = await calls.client('POST', '/metrics', {
        appName: 'a',
        impactMetrics: [],
      });
      expect(answer.status).toBe(202);
    });
  });
});
