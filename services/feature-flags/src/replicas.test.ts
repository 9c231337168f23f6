import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  callsTo,
  CLIENT_TOKEN,
  FRONTEND_TOKEN,
  startFeatureFlags,
} from './__testUtils__/startFeatureFlags.ts';
import { featureFlags } from './service.ts';

describe.each(testDatabaseClients())('two replicas on %s', client => {
  it("read each other's changes, count together and return the same ETags", async () => {
    const { database, dispose } = await openTestDatabase(client, featureFlags);
    const first = await startFeatureFlags({ database });
    const second = await startFeatureFlags({ database });
    await first.start();
    await second.start();
    const one = callsTo(first);
    const other = callsTo(second);

    await one.create('checkout');
    await vi.waitUntil(async () => (await other.features()).length === 1);
    const tags = await Promise.all(
      [one, other].map(
        async ({ client: call }) =>
          (await call('GET', '/features')).headers.etag,
      ),
    );
    expect(tags[0]).toBe(tags[1]);

    // The other replica accepts a new token immediately, and rejects it once it is revoked.
    const { body } = await one.admin('POST', '/api-tokens', {
      tokenName: 'shop',
      type: 'client',
    });
    const read = () =>
      other.send('GET', '/api/client/features', { token: body.secret });
    expect((await read()).status).toBe(200);
    await one.admin('DELETE', `/api-tokens/${body.id}`);
    await vi.waitUntil(async () => (await read()).status === 401);

    // Concurrent toggles through both replicas end in the same state everywhere.
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? one : other).admin(
          'POST',
          `/features/checkout/toggle/${index % 3 ? 'on' : 'off'}`,
        ),
      ),
    );
    const { body: flag } = await one.admin('GET', '/features/checkout');
    await vi.waitUntil(async () => {
      const seen = await Promise.all([one.features(), other.features()]);
      return seen.every(
        ([checkout]) =>
          (checkout as unknown as { enabled: boolean }).enabled ===
          flag.enabled,
      );
    });

    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? one : other).report('checkout', { yes: 2, no: 1 }),
      ),
    );
    expect(responses.every(({ status }) => status === 202)).toBe(true);
    const { body: usage } = await other.admin(
      'GET',
      '/metrics/features/checkout',
    );
    expect(usage.lastHourUsage).toEqual({ yes: 200, no: 100 });
    await first.stop();
    await second.stop();
    await dispose();
  });
});

it.each([
  ['/api/client/features', CLIENT_TOKEN],
  ['/api/client/delta', CLIENT_TOKEN],
  ['/api/frontend', FRONTEND_TOKEN],
])(
  'answer %s no older than another replica did, although they have not checked for changes',
  async (path, token) => {
    const { database, dispose } = await openTestDatabase(
      'sqlite',
      featureFlags,
    );
    const config = { pollMs: 60_000 };
    const first = await startFeatureFlags({ database, config });
    const second = await startFeatureFlags({ database, config });
    await callsTo(first).create('checkout', { enabled: true });
    const ask = (service: typeof first, etag = '') =>
      callsTo(service).send('GET', path, {
        token,
        headers: { 'if-none-match': etag },
      });
    const newer = await ask(first);
    expect(newer.text).toContain('checkout');
    expect((await ask(second)).text).not.toContain('checkout');
    const etag = String(newer.headers.etag);
    expect((await ask(second, etag)).status).toBe(304);
    expect((await ask(second)).text).toContain('checkout');
    await first.stop();
    await second.stop();
    await dispose();
  },
);

describe.runIf(testDatabaseClients().includes('postgres'))(
  'replicas on PostgreSQL',
  () => {
    it('notify each other of changes at once, regardless of polling', async () => {
      const { database, dispose } = await openTestDatabase(
        'postgres',
        featureFlags,
      );
      const config = { pollMs: 60_000 };
      const first = await startFeatureFlags({ database, config });
      const second = await startFeatureFlags({ database, config });
      await first.start();
      await second.start();
      await callsTo(first).create('checkout');
      const seen = () => callsTo(second).features();
      await vi.waitUntil(async () => (await seen()).length === 1);
      expect(await seen()).toMatchObject([{ name: 'checkout' }]);
      await first.stop();
      await second.stop();
      await dispose();
    });
  },
);
