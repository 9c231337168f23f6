import type { Service } from '@slipway/service-kit';
import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  callsTo,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';
import { featureFlags } from '../service.ts';

const DAY_MS = 86_400_000;

describe.each(testDatabaseClients())('flags of entities on %s', client => {
  // One flag is created in the past, before the clock moves to the present, in which sessions are valid.
  const clock = { now: Date.now() - 41 * DAY_MS };
  let portal: FakePortal;
  let service: Service;
  let calls: ReturnType<typeof callsTo>;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    const opened = await openTestDatabase(client, featureFlags);
    dispose = opened.dispose;
    portal = await FakePortal.start();
    portal.entities = [
      {
        kind: 'Component',
        metadata: {
          name: 'shop',
          annotations: { 'slipway.dev/flags': 'shop.*, stop-payouts' },
        },
      },
      { kind: 'Component', metadata: { name: 'docs' } },
    ];
    service = await startFeatureFlags({
      database: opened.database,
      now: () => clock.now,
      config: { portal: { baseUrl: portal.baseUrl } },
    });
    calls = callsTo(service);
    await calls.create('shop.banner');
    clock.now = Date.now() - 2_000;
    await calls.create('stop-payouts', { type: 'kill-switch' });
    await calls.create('other');
    clock.now += 1_000;
    await calls.admin('POST', '/features/stop-payouts/toggle/on');
    clock.now += 1_000;
  });

  afterAll(async () => {
    await service.stop();
    await portal.stop();
    await dispose();
  });

  const get = async (name: string, rest: string) => {
    const { status, body } = await calls.send(
      'GET',
      `/api/v1/entities/${encodeURIComponent(`component:default/${name}`)}/${rest}`,
      { headers: { cookie: await portal.cookie('user:default/grace') } },
    );
    expect(status).toBe(200);
    return body;
  };

  it('counts the flags that a component names, and lists those that are too old', async () => {
    expect(await get('shop', 'summary')).toMatchObject({
      state: 'warning',
      page: '/flags',
      facts: [
        { id: 'flags', value: 2 },
        { id: 'on', label: 'On in production', value: 0 },
        { id: 'stale', value: 1, tone: 'warning' },
        {
          id: 'last',
          value: 'stop-payouts turned on in development',
          page: '/flags/flag/stop-payouts',
          by: 'token:test-admin',
        },
      ],
      needs: [
        {
          key: 'flag-stale:shop.banner',
          title: 'shop.banner is stale',
          page: '/flags/flag/shop.banner',
          action: 'View flag',
          entityRef: 'component:default/shop',
        },
      ],
    });
  });

  it('lists only their changes in the period', async () => {
    const titlesOf = async (rest: string) =>
      (await get('shop', rest)).items.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titlesOf('timeline')).toEqual([
      'stop-payouts turned on in development',
      'stop-payouts created',
    ]);
    const from = new Date(Date.now() - 50 * DAY_MS).toISOString();
    expect(await titlesOf(`timeline?from=${from}`)).toEqual([
      'stop-payouts turned on in development',
      'stop-payouts created',
      'shop.banner created',
    ]);
    const { items } = await get('shop', 'timeline?limit=1');
    expect(items[0]).toMatchObject({
      kind: 'flag',
      state: 'On',
      by: 'token:test-admin',
      page: '/flags/flag/stop-payouts',
      entityRef: 'component:default/shop',
    });
  });

  it('counts as on those that are on for customers', async () => {
    await calls.admin(
      'POST',
      '/projects/default/features/shop.banner/environments/production/on',
    );
    expect((await get('shop', 'summary')).facts[1]).toMatchObject({
      id: 'on',
      value: 1,
    });
  });

  it('says what connects a component that names none', async () => {
    expect(await get('docs', 'summary')).toMatchObject({
      state: 'unconnected',
      message: expect.stringContaining('slipway.dev/flags'),
    });
  });
});
