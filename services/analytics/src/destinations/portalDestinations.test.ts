import { createHmac } from 'node:crypto';
import type { Database, Service } from '@slipway/service-kit';
import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  API_TOKEN,
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { Receiver } from './__testUtils__/Receiver.ts';

const NOW = Date.parse('2026-11-21T10:20:00.000Z');
const SECRETS_KEY = 'a key of a test with more than 32 characters';
const CONFIGURED = {
  kind: 'webhook',
  id: 'declared',
  url: 'http://127.0.0.1:1/x',
  secret: 'a-secret-of-the-receiver',
};

describe.each(testDatabaseClients())(
  'destinations of the portal in %s',
  client => {
    let portal: FakePortal;
    let database: Database;
    let dispose: () => Promise<void>;
    let receiver: Receiver;
    let url: string;
    let service: Service;
    let now = NOW;
    const headers: Record<string, Record<string, string>> = {
      nobody: {},
      token: { authorization: `Bearer ${API_TOKEN}` },
    };

    const ask = async (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path = '',
      { as = 'ada', payload }: { as?: string; payload?: object } = {},
    ) => {
      const response = await service.app.inject({
        method,
        url: `/api/projects/shop/destinations${path}`,
        headers: headers[as],
        payload,
      });
      return { status: response.statusCode, body: response.json() };
    };
    const start = async (secretsKey?: string) => {
      service = await startAnalytics({
        now: () => now,
        database,
        config: {
          portal: { baseUrl: portal.baseUrl },
          rateLimit: { enabled: false },
          egress: { allowedHosts: ['127.0.0.1'] },
          ...(secretsKey && { secretsKey }),
          projects: [
            {
              id: 'shop',
              name: 'Shop',
              keys: [{ name: 'test', key: PROJECT_KEY }],
              apiTokens: [{ name: 'test', key: API_TOKEN }],
              destinations: [CONFIGURED],
            },
          ],
        },
      });
      await service.start();
    };
    const create = (payload: object) =>
      ask('POST', '', { payload: { kind: 'webhook', url, ...payload } });
    const stateOf = async (id: string) => {
      const { body } = await ask('GET', '', { as: 'grace' });
      return body.destinations.find((each: { id: string }) => each.id === id);
    };
    const capture = (uuid: string) =>
      clientOf(service).capture({ uuid, event: 'bought', distinct_id: 'ada' });

    beforeEach(async () => {
      now = NOW;
      portal = await FakePortal.start({
        groups: {
          'user:default/ada': ['group:default/platform-admins'],
          'user:default/grace': [],
        },
      });
      for (const user of ['ada', 'grace']) {
        headers[user] = {
          authorization: `Bearer ${await portal.token(`user:default/${user}`)}`,
        };
      }
      receiver = new Receiver();
      url = `${await receiver.start()}/hook?token=hidden-in-the-address`;
      ({ database, dispose } = await openTestDatabase(client));
      await start(SECRETS_KEY);
    });
    afterEach(async () => {
      await service.stop();
      receiver.stop();
      await portal.stop();
      await dispose();
    });

    it('receive events until they are paused or deleted', async () => {
      const created = await create({ id: 'crm', events: ['bought'] });
      expect(created).toMatchObject({
        status: 201,
        body: {
          destination: {
            id: 'crm',
            kind: 'webhook',
            address: new URL(url).origin,
            events: ['bought'],
            is_configured: false,
            is_readable: true,
            paused: false,
            delivered: 0,
          },
          secret: expect.stringMatching(/^[\w-]{43}$/),
        },
      });
      const { secret } = created.body;
      const ids = ['1', '2'].map(
        digit => `01a1fd90-4447-707d-b85d-00000000000${digit}`,
      );
      now += 1_000;
      await capture(ids[0]);
      now += 20_000;
      await vi.waitUntil(() => receiver.uuids().length === 1, 20_000);
      const [{ request, body }] = receiver.received;
      expect(request.url).toBe('/hook?token=hidden-in-the-address');
      expect(request.headers['x-slipway-signature-256']).toBe(
        `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      );
      await vi.waitUntil(
        async () => (await stateOf('crm')).delivered === 1,
        10_000,
      );

      expect(
        await ask('PATCH', '/crm', { payload: { paused: true } }),
      ).toMatchObject({ status: 200, body: { paused: true, delivered: 1 } });
      now += 1_000;
      await capture(ids[1]);
      now += 20_000;
      // A destination that is created later receives later events only.
      await create({ id: 'other' });
      await vi.waitUntil(
        async () =>
          Date.parse((await stateOf('other')).received_up_to) >= NOW + 42_000,
        10_000,
      );
      expect(receiver.uuids()).toEqual([ids[0]]);
      await ask('PATCH', '/crm', { payload: { paused: false } });
      await vi.waitUntil(() => receiver.uuids().length === 2, 20_000);
      expect(receiver.uuids()).toEqual(ids);

      expect((await ask('DELETE', '/crm')).status).toBe(200);
      expect(await stateOf('crm')).toBeUndefined();
      expect((await ask('GET', '/crm/deliveries')).status).toBe(404);
      expect((await create({ id: 'crm' })).body.destination.delivered).toBe(0);
    }, 60_000);

    it('are tested, and show their deliveries', async () => {
      await create({ id: 'crm', secret: 'a-secret-of-16-characters' });
      receiver.status = 500;
      expect(await ask('POST', '/crm/test')).toEqual({
        status: 200,
        body: {
          delivered: false,
          status: 500,
          error: 'The receiver answered 500',
          duration_ms: expect.any(Number),
        },
      });
      receiver.status = 200;
      expect((await ask('POST', '/crm/test')).body).toMatchObject({
        delivered: true,
        error: null,
      });
      expect(JSON.parse(String(receiver.received[0].body))).toMatchObject({
        project: 'shop',
        destination: 'crm',
        test: true,
        events: [{ event: 'test event' }],
      });
      const { body } = await ask('GET', '/crm/deliveries', { as: 'grace' });
      expect(body.deliveries).toMatchObject([
        { test: true, events: 1, status: 200, error: null },
        { test: true, status: 500, error: 'The receiver answered 500' },
      ]);
      // A test changes nothing about the progress.
      expect(await stateOf('crm')).toMatchObject({ delivered: 0, failures: 0 });

      await ask('POST', '', {
        payload: {
          kind: 's3',
          id: 'lake',
          endpoint: new URL(url).origin,
          bucket: 'events-of-shop',
          prefix: 'raw/',
          access_key_id: 'AKIDEXAMPLE',
          secret_access_key: 'wJalrXUtnFEMI',
          format: 'ndjson',
        },
      });
      expect((await ask('POST', '/lake/test')).body.delivered).toBe(true);
      const { request } = receiver.received[1];
      expect(request.method).toBe('PUT');
      expect(request.url).toBe('/events-of-shop/raw/shop/test-event.ndjson');
      expect((await ask('POST', '/declared/test')).body).toMatchObject({
        delivered: false,
        status: null,
        error: 'The receiver could not be reached: ECONNREFUSED',
      });
    });

    it('keep their secrets encrypted, and are unreadable with another key', async () => {
      const secret = 'a-secret-of-16-characters';
      await create({ id: 'crm', secret });
      const rows = await database.knex('portal_destinations');
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(JSON.stringify(rows)).not.toContain('hidden-in-the-address');
      expect(JSON.stringify(await ask('GET'))).not.toContain(secret);
      await service.stop();
      await start(SECRETS_KEY.replace('key', 'yek'));
      expect(await stateOf('crm')).toMatchObject({ is_readable: false });
      const { status, body } = await ask('POST', '/crm/test');
      expect(status).toBe(409);
      expect(body.detail).toContain('analytics.secretsKey');
      expect((await ask('DELETE', '/crm')).status).toBe(200);
    });

    it('are changed by admins only, which the audit log records', async () => {
      await create({ id: 'crm' });
      const requests = [
        ['POST', ''],
        ['PATCH', '/crm'],
        ['DELETE', '/crm'],
        ['POST', '/crm/test'],
      ] as const;
      for (const [method, path] of requests) {
        for (const [as, status] of [
          ['grace', 403],
          ['token', 401],
          ['nobody', 401],
        ] as const) {
          expect((await ask(method, path, { as })).status).toBe(status);
        }
      }
      await ask('DELETE', '/crm');
      const audit = await service.app.inject({
        url: '/api/v1/audit',
        headers: headers.ada,
      });
      expect(audit.json().entries).toMatchObject([
        { action: 'Delete a destination', target: 'shop / crm' },
        { action: 'Create a destination', target: 'shop / crm' },
      ]);
    });

    it('refuse what cannot work', async () => {
      await create({ id: 'crm' });
      for (const [payload, status, attr] of [
        [{ id: 'crm' }, 409, null],
        [{ id: 'declared' }, 409, null],
        [{ id: 'Big' }, 400, 'id'],
        [{ id: 'a', url: undefined }, 400, 'url'],
        [{ id: 'a', url: 'ftp://x.example' }, 400, 'url'],
        [{ id: 'a', url: 'https://me:pw@x.example/' }, 400, 'url'],
        [{ id: 'a', url: 'http://169.254.169.254/' }, 400, 'url'],
        [{ id: 'a', url: 'http://localhost/' }, 400, 'url'],
        [{ id: 'a', secret: 'short' }, 400, 'secret'],
        [{ id: 'a', kind: 'mail' }, 400, 'kind'],
        [{ id: 'a', kind: 's3' }, 400, 'endpoint'],
        [{ id: 'a', kind: 's3', endpoint: 'http://10.0.0.1' }, 400, 'bucket'],
        [
          {
            id: 'a',
            kind: 's3',
            endpoint: 'http://10.0.0.1',
            bucket: 'events',
            access_key_id: 'a',
            secret_access_key: 'b',
          },
          400,
          'endpoint',
        ],
      ] as const) {
        const { status: actual, body } = await create(payload);
        expect([payload, actual, body.attr]).toEqual([payload, status, attr]);
      }
      for (const [method, path, payload] of [
        ['PATCH', '/declared', { paused: true }],
        ['DELETE', '/declared', undefined],
      ] as const) {
        expect((await ask(method, path, { payload })).status).toBe(409);
      }
      for (const [method, path, payload] of [
        ['PATCH', '/none', { paused: true }],
        ['DELETE', '/none', undefined],
        ['POST', '/none/test', undefined],
        ['GET', '/none/deliveries', undefined],
      ] as const) {
        expect((await ask(method, path, { payload })).status).toBe(404);
      }
    });
  },
);
