import { createHmac } from 'node:crypto';
import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  DestinationsHarness,
  NOW,
  SECRETS_KEY,
} from './__testUtils__/DestinationsHarness.ts';

describe.each(testDatabaseClients())(
  'destinations of the portal in %s',
  client => {
    let harness: DestinationsHarness;

    beforeEach(async () => {
      harness = await DestinationsHarness.start(client);
    });
    afterEach(() => harness.stop());

    it('receive events until they are paused or deleted', async () => {
      const created = await harness.create({ id: 'crm', events: ['bought'] });
      expect(created).toMatchObject({
        status: 201,
        body: {
          destination: {
            id: 'crm',
            kind: 'webhook',
            address: new URL(harness.url).origin,
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
      harness.now += 1_000;
      await harness.capture(ids[0]);
      harness.now += 20_000;
      await vi.waitUntil(() => harness.receiver.uuids().length === 1, 30_000);
      const [{ request, body }] = harness.receiver.received;
      expect(request.url).toBe('/hook?token=hidden-in-the-address');
      expect(request.headers['x-slipway-signature-256']).toBe(
        `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      );
      await harness.delivered('crm', 1);

      expect(
        await harness.ask('PATCH', '/crm', { payload: { paused: true } }),
      ).toMatchObject({ status: 200, body: { paused: true, delivered: 1 } });
      harness.now += 1_000;
      await harness.capture(ids[1]);
      harness.now += 20_000;
      // A destination that is created later receives only later events.
      await harness.create({ id: 'other' });
      await vi.waitUntil(
        async () =>
          Date.parse((await harness.stateOf('other')).received_up_to) >=
          NOW + 42_000,
        30_000,
      );
      expect(harness.receiver.uuids()).toEqual([ids[0]]);
      await harness.ask('PATCH', '/crm', { payload: { paused: false } });
      await vi.waitUntil(() => harness.receiver.uuids().length === 2, 30_000);
      expect(harness.receiver.uuids()).toEqual(ids);

      expect((await harness.ask('DELETE', '/crm')).status).toBe(200);
      expect(await harness.stateOf('crm')).toBeUndefined();
      expect((await harness.ask('GET', '/crm/deliveries')).status).toBe(404);
      expect(
        (await harness.create({ id: 'crm' })).body.destination.delivered,
      ).toBe(0);
    });

    it('are tested, and show their deliveries', async () => {
      await harness.create({ id: 'crm', secret: 'a-secret-of-16-characters' });
      harness.receiver.status = 500;
      expect(await harness.ask('POST', '/crm/test')).toEqual({
        status: 200,
        body: {
          delivered: false,
          status: 500,
          error: 'The receiver answered 500',
          duration_ms: expect.any(Number),
        },
      });
      harness.receiver.status = 200;
      expect((await harness.ask('POST', '/crm/test')).body).toMatchObject({
        delivered: true,
        error: null,
      });
      expect(
        JSON.parse(String(harness.receiver.received[0].body)),
      ).toMatchObject({
        project: 'shop',
        destination: 'crm',
        test: true,
        events: [{ event: 'test event' }],
      });
      const { body } = await harness.ask('GET', '/crm/deliveries', {
        as: 'grace',
      });
      expect(body.deliveries).toMatchObject([
        { test: true, events: 1, status: 200, error: null },
        { test: true, status: 500, error: 'The receiver answered 500' },
      ]);
      // A test does not change the progress.
      expect(await harness.stateOf('crm')).toMatchObject({
        delivered: 0,
        failures: 0,
      });

      await harness.createBucket({ id: 'lake' });
      expect((await harness.ask('POST', '/lake/test')).body.delivered).toBe(
        true,
      );
      const { request } = harness.receiver.received[1];
      expect(request.method).toBe('PUT');
      expect(request.url).toBe('/events-of-shop/raw/shop/test-event.ndjson');
      expect((await harness.ask('POST', '/declared/test')).body).toMatchObject({
        delivered: false,
        status: null,
        error: 'The receiver could not be reached: ECONNREFUSED',
      });
    });

    it('keep their secrets encrypted, and are unreadable with another key', async () => {
      const secret = 'a-secret-of-16-characters';
      await harness.create({ id: 'crm', secret });
      const rows = await harness.database.knex('portal_destinations');
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(JSON.stringify(rows)).not.toContain('hidden-in-the-address');
      expect(JSON.stringify(await harness.ask('GET'))).not.toContain(secret);
      await harness.service.stop();
      await harness.startService(SECRETS_KEY.replace('key', 'yek'));
      expect(await harness.stateOf('crm')).toMatchObject({
        is_readable: false,
      });
      const { status, body } = await harness.ask('POST', '/crm/test');
      expect(status).toBe(409);
      expect(body.detail).toContain('analytics.secretsKey');
      expect((await harness.ask('DELETE', '/crm')).status).toBe(200);
    });

    it('are changed by admins only, which the audit log records', async () => {
      await harness.create({ id: 'crm' });
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
          expect((await harness.ask(method, path, { as })).status).toBe(status);
        }
      }
      await harness.ask('DELETE', '/crm');
      expect(await harness.auditLog()).toMatchObject([
        { action: 'Delete a destination', target: 'shop / crm' },
        { action: 'Create a destination', target: 'shop / crm' },
      ]);
    });

    it('refuse what cannot work', async () => {
      await harness.create({ id: 'crm' });
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
        const { status: actual, body } = await harness.create(payload);
        expect([payload, actual, body.attr]).toEqual([payload, status, attr]);
      }
      for (const [method, path, payload] of [
        ['PATCH', '/declared', { paused: true }],
        ['DELETE', '/declared', undefined],
      ] as const) {
        expect((await harness.ask(method, path, { payload })).status).toBe(409);
      }
      for (const [method, path, payload] of [
        ['PATCH', '/none', { paused: true }],
        ['DELETE', '/none', undefined],
        ['POST', '/none/test', undefined],
        ['GET', '/none/deliveries', undefined],
      ] as const) {
        expect((await harness.ask(method, path, { payload })).status).toBe(404);
      }
    });
  },
);
