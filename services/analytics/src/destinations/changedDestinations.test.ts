import { createHmac } from 'node:crypto';
import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  DestinationsHarness,
  SECRETS_KEY,
} from './__testUtils__/DestinationsHarness.ts';

const SECRET = 'a-secret-of-16-characters';
const uuid = (n: number) =>
  `01a1fd90-4447-707d-b85d-${String(n).padStart(12, '0')}`;

describe.each(testDatabaseClients())(
  'changing destinations of the portal in %s',
  client => {
    let harness: DestinationsHarness;
    const change = (id: string, payload: object, as?: string) =>
      harness.ask('PATCH', `/${id}`, { payload, ...(as && { as }) });

    beforeEach(async () => {
      harness = await DestinationsHarness.start(client);
    });
    afterEach(() => harness.stop());

    it('keeps the progress, the deliveries and the secret of a webhook', async () => {
      const { receiver } = harness;
      await harness.create({ id: 'crm', secret: SECRET, events: ['seen'] });
      await change('crm', { paused: true });
      harness.now += 1_000;
      await harness.capture(uuid(1));
      harness.now += 20_000;
      await harness.ask('POST', '/crm/test');
      const moved = harness.url.replace('/hook', '/moved');
      expect(
        await change('crm', { id: 'crm-2', url: moved, events: null }),
      ).toMatchObject({ status: 200, body: { id: 'crm-2', paused: true } });
      expect(await harness.stateOf('crm')).toBeUndefined();
      expect(await harness.stateOf('crm-2')).not.toHaveProperty('events');
      const { body } = await harness.ask('GET', '/crm-2/deliveries');
      expect(body.deliveries).toMatchObject([{ test: true, status: 200 }]);

      await change('crm-2', { paused: false });
      await harness.delivered('crm-2', 1);
      const [, received] = receiver.received;
      expect(received.request.url).toMatch(/^\/moved\?/);
      const { destination, events } = JSON.parse(String(received.body));
      expect([destination, events[0].uuid]).toEqual(['crm-2', uuid(1)]);
      const signatureBy = (key: string) =>
        `sha256=${createHmac('sha256', key).update(received.body).digest('hex')}`;
      expect(received.request.headers['x-slipway-signature-256']).toBe(
        signatureBy(SECRET),
      );
    });

    it('sends at once with a replaced secret and address after failures', async () => {
      const { receiver } = harness;
      receiver.status = 503;
      await harness.create({ id: 'crm', secret: SECRET });
      harness.now += 1_000;
      await harness.capture(uuid(1));
      harness.now += 20_000;
      await vi.waitUntil(
        async () => (await harness.stateOf('crm')).failures === 1,
        30_000,
      );
      receiver.status = 200;
      const secret = 'another-secret-of-the-hook';
      const changed = await change('crm', { secret });
      expect(changed.body).not.toHaveProperty('next_attempt_at');
      // The clock does not advance, so the retry after the failure would only be due in 5 seconds.
      await harness.delivered('crm', 1);
      const [{ request, body }] = receiver.received;
      expect(request.headers['x-slipway-signature-256']).toBe(
        `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      );
      expect(await harness.stateOf('crm')).toMatchObject({ failures: 0 });
      const stored = await harness.database.knex('portal_destinations');
      expect(JSON.stringify([changed, stored])).not.toContain(secret);
    });

    it('changes where and how often a bucket receives files', async () => {
      await harness.createBucket({ id: 'lake' });
      const files = {
        region: 'us-east-1',
        bucket: 'events-of-shop',
        prefix: 'raw/',
        format: 'ndjson',
        interval: 'hour',
      };
      expect(await harness.stateOf('lake')).toMatchObject({ files });
      const next = {
        bucket: 'lake-of-shop',
        prefix: '',
        format: 'parquet',
        interval: 'day',
        region: 'eu-central-1',
      };
      expect((await change('lake', next)).body).toMatchObject({
        address: `${new URL(harness.url).origin}/lake-of-shop`,
        files: next,
      });
      await change('lake', { format: 'ndjson', access_key_id: 'AKIDNEW' });
      harness.now += 1_000;
      await harness.capture(uuid(1));
      // The hour has ended, but not the day.
      harness.now += 2 * 3_600_000;
      await harness.capture(uuid(2));
      await harness.ask('POST', '/lake/test');
      expect(harness.receiver.received).toHaveLength(1);
      harness.now += 12 * 3_600_000;
      await harness.delivered('lake', 2);
      const [test, { request, body }] = harness.receiver.received;
      expect(test.request.headers.authorization).toContain(
        'Credential=AKIDNEW/',
      );
      expect(request.url).toMatch(
        /^\/lake-of-shop\/shop\/2026\/11\/21\/10\d{7}-[0-9a-f-]+\.ndjson$/,
      );
      expect(String(body).trimEnd().split('\n')).toHaveLength(2);
    });

    it('refuses what cannot work, and changes nothing then', async () => {
      await harness.create({ id: 'crm' });
      await harness.create({ id: 'other' });
      await harness.createBucket({ id: 'lake' });
      const before = await harness.ask('GET');
      for (const [id, payload, status, attr] of [
        ['crm', {}, 400, null],
        ['crm', { id: 'Big' }, 400, 'id'],
        ['crm', { events: [] }, 400, 'events'],
        ['crm', { url: 'ftp://x.example' }, 400, 'url'],
        ['crm', { url: 'http://169.254.169.254/' }, 400, 'url'],
        ['crm', { secret: 'short' }, 400, 'secret'],
        ['crm', { secret: '' }, 400, 'secret'],
        ['crm', { bucket: 'events' }, 400, 'bucket'],
        ['crm', { interval: 'day' }, 400, 'interval'],
        ['lake', { url: 'https://x.example' }, 400, 'url'],
        ['lake', { endpoint: 'http://10.0.0.1' }, 400, 'endpoint'],
        ['lake', { format: 'xml' }, 400, 'format'],
        ['lake', { interval: 'minute' }, 400, 'interval'],
        ['crm', { id: 'other' }, 409, null],
        ['crm', { id: 'declared' }, 409, null],
        ['declared', { events: ['bought'] }, 409, null],
        ['none', { events: ['bought'] }, 404, null],
      ] as const) {
        const { status: actual, body } = await change(id, payload);
        expect([payload, actual, body.attr]).toEqual([payload, status, attr]);
      }
      for (const [as, status] of [
        ['grace', 403],
        ['token', 401],
        ['nobody', 401],
      ] as const) {
        expect((await change('crm', { events: ['x'] }, as)).status).toBe(
          status,
        );
      }
      expect((await harness.ask('GET')).body).toEqual(before.body);
    });

    it('lets one of two simultaneous changes win, and records it', async () => {
      await harness.create({ id: 'crm' });
      await harness.create({ id: 'other' });
      const renamed = await Promise.all(
        ['crm', 'other'].map(id => change(id, { id: 'new' })),
      );
      expect(renamed.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await harness.auditLog()).toMatchObject([
        { action: 'Change, pause or resume a destination' },
        { action: 'Create a destination' },
        { action: 'Create a destination' },
      ]);
    });

    it('lets one of a creation and a renaming to the same id win', async () => {
      for (let round = 0; round < 10; round += 1) {
        await harness.create({ id: 'crm' });
        const [created, renamed] = await Promise.all([
          harness.create({ id: 'new' }),
          change('crm', { id: 'new' }),
        ]);
        expect([
          [201, 409],
          [409, 200],
        ]).toContainEqual([created.status, renamed.status]);
        for (const id of ['crm', 'new']) {
          await harness.ask('DELETE', `/${id}`);
        }
      }
    });

    it('renews what cannot be decrypted, and keeps the progress and events', async () => {
      const { receiver } = harness;
      await harness.create({ id: 'crm', secret: SECRET, events: ['bought'] });
      await harness.createBucket({ id: 'lake' });
      harness.now += 1_000;
      await harness.capture(uuid(1));
      harness.now += 20_000;
      await harness.delivered('crm', 1);
      await harness.service.stop();
      await harness.startService(SECRETS_KEY.replace('key', 'yek'));
      harness.now += 1_000;
      await harness.capture(uuid(2));
      for (const [id, payload, missing] of [
        ['crm', { secret: SECRET }, 'set url too'],
        ['crm', { id: 'crm-2' }, 'set url, secret too'],
        ['lake', { prefix: 'raw/', bucket: 'b-1' }, 'set endpoint, access_key'],
      ] as const) {
        const { status, body } = await change(id, payload);
        expect([id, status]).toEqual([id, 409]);
        expect(body.detail).toContain(missing);
      }
      expect((await change('crm', { bucket: 'b-1' })).body.attr).toBe('bucket');
      expect(await harness.stateOf('crm')).toMatchObject({
        is_readable: false,
        delivered: 1,
        events: ['bought'],
      });

      const secret = 'another-secret-of-the-hook';
      const url = harness.url.replace('/hook', '/renewed');
      expect(await change('crm', { url, secret })).toMatchObject({
        status: 200,
        body: {
          id: 'crm',
          is_readable: true,
          delivered: 1,
          events: ['bought'],
        },
      });
      harness.now += 20_000;
      await harness.delivered('crm', 2);
      const [, { request, body }] = receiver.received;
      expect(receiver.uuids()).toEqual([uuid(1), uuid(2)]);
      expect(request.url).toMatch(/^\/renewed\?/);
      expect(request.headers['x-slipway-signature-256']).toBe(
        `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      );

      const renewed = await change('lake', {
        id: 'lake-2',
        endpoint: new URL(harness.url).origin,
        bucket: 'renewed',
        access_key_id: 'AKIDNEW',
        secret_access_key: 'wJalrNEW',
        interval: 'day',
      });
      expect(renewed.body).toMatchObject({
        id: 'lake-2',
        is_readable: true,
        files: {
          region: 'us-east-1',
          bucket: 'renewed',
          prefix: '',
          format: 'ndjson',
          interval: 'day',
        },
      });
      harness.now += 24 * 3_600_000;
      // Both events are delivered, although the first arrived while the settings could be decrypted.
      await harness.delivered('lake-2', 2);
      expect(receiver.received.at(-1)!.request.headers.authorization).toContain(
        'Credential=AKIDNEW/',
      );
    });

    it('needs the key of the secrets, except to pause', async () => {
      await harness.create({ id: 'crm' });
      await harness.service.stop();
      await harness.startService(SECRETS_KEY.replace('key', 'yek'));
      const { status, body } = await change('crm', { events: ['bought'] });
      expect(status).toBe(409);
      expect(body.detail).toContain('analytics.secretsKey');
      expect(await change('crm', { paused: true })).toMatchObject({
        status: 200,
        body: { paused: true, is_readable: false },
      });
    });
  },
);
