import type { Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { InMemStorageProvider, Unleash, UnleashEvents } from 'unleash-client';
import {
  callsTo,
  CLIENT_TOKEN,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';
import { featureFlags } from '../service.ts';

interface DeltaEvent {
  type: string;
  eventId: number;
  [member: string]: unknown;
}

describe.each(testDatabaseClients())('changes on %s', client => {
  let service: Service;
  let other: Service;
  let url: string;
  let calls: ReturnType<typeof callsTo>;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    const test = await openTestDatabase(client, featureFlags);
    dispose = test.dispose;
    const { database } = test;
    service = await startFeatureFlags({ database });
    other = await startFeatureFlags({ database });
    await other.start();
    url = await service.start();
    calls = callsTo(service);
  });

  afterAll(async () => {
    await Promise.all([service.stop(), other.stop()]);
    await dispose();
  });

  const delta = async (ifNoneMatch?: string) => {
    const response = await calls.send('GET', '/api/client/delta', {
      token: CLIENT_TOKEN,
      headers: ifNoneMatch ? { 'if-none-match': ifNoneMatch } : {},
    });
    return {
      status: response.status,
      etag: String(response.headers.etag),
      events: response.body?.events as DeltaEvent[],
    };
  };

  it('are sent once each, in order, since the requested revision', async () => {
    await calls.create('one', { enabled: true });
    const first = await delta();
    expect(first.events).toMatchObject([
      { type: 'hydration', features: [{ name: 'one' }], segments: [] },
    ]);
    expect((await delta(first.etag)).status).toBe(304);

    const { body: segment } = await calls.admin('POST', '/segments', {
      name: 'Europe',
      constraints: [],
    });
    await calls.create('two', {
      strategies: [{ name: 'default', segments: [segment.id] }],
    });
    await calls.admin('POST', '/features/one/toggle/off');
    await calls.admin('POST', '/features/one/toggle/on');
    const second = await delta(first.etag);
    expect(second.events).toMatchObject([
      { type: 'segment-updated', segment: { id: segment.id } },
      { type: 'feature-updated', feature: { name: 'two' } },
      { type: 'feature-updated', feature: { name: 'one', enabled: true } },
    ]);
    const ids = second.events.map(({ eventId }) => eventId);
    expect(ids).toEqual([...ids].sort((one, two) => one - two));

    await calls.admin('DELETE', '/features/two');
    expect((await delta(second.etag)).events).toMatchObject([
      { type: 'feature-removed', featureName: 'two', project: 'default' },
    ]);
    // A position from another database, or an invalid one, gets the full state.
    for (const unknown of ['"00000000:3"', '"99999"', 'x']) {
      expect((await delta(unknown)).events).toMatchObject([
        { type: 'hydration' },
      ]);
    }
    // A change in another environment is not visible.
    const before = await delta();
    await calls.admin(
      'POST',
      '/projects/default/features/one/environments/production/on',
    );
    expect((await delta(before.etag)).status).toBe(304);
  });

  it('remove a deleted segment that a restored flag still uses', async () => {
    const { body: segment } = await calls.admin('POST', '/segments', {
      name: 'Everyone',
      constraints: [],
    });
    await calls.create('old', {
      enabled: true,
      strategies: [{ name: 'default', segments: [segment.id] }],
    });
    const { etag } = await delta();
    await calls.admin('DELETE', '/features/old');
    await calls.admin('DELETE', `/segments/${segment.id}`);
    await calls.admin('POST', '/archive/revive/old');
    await calls.admin('POST', '/features/old/toggle/on');
    expect((await delta(etag)).events).toMatchObject([
      { type: 'segment-removed', segmentId: segment.id },
      { type: 'feature-updated', feature: { name: 'old', enabled: true } },
    ]);
    await calls.admin('DELETE', '/features/old');
  });

  it('reach unleash-client by a stream, from this replica and another one', async () => {
    const sdk = new Unleash({
      url: `${url}/api`,
      appName: 'shop',
      disableMetrics: true,
      experimentalMode: { type: 'streaming' },
      storageProvider: new InMemStorageProvider(),
      customHeaders: { Authorization: CLIENT_TOKEN },
    });
    await new Promise(resolve => {
      sdk.once(UnleashEvents.Synchronized, resolve);
    });
    await calls.create('live', { enabled: true });
    await vi.waitUntil(() => sdk.isEnabled('live'));
    await callsTo(other).admin('POST', '/features/live/toggle/off');
    await vi.waitUntil(() => !sdk.isEnabled('live'));
    expect(sdk.isEnabled('one')).toBe(true);
    sdk.destroy();
  });

  it('end when the token that opened them is revoked', async () => {
    const { body } = await calls.admin('POST', '/api-tokens', {
      tokenName: 'shop',
      type: 'client',
    });
    const stream = await fetch(`${url}/api/client/streaming`, {
      headers: { authorization: body.secret },
    });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const text = stream.text();
    await calls.admin('DELETE', `/api-tokens/${body.id}`);
    expect(await text).toMatch(
      /^event: unleash-connected\nid: [0-9a-f]{8}:\d+\ndata: \{"events":/,
    );
  });

  it('end when the secret that opened them is replaced and no longer valid', async () => {
    const { body } = await calls.admin('POST', '/api-tokens', {
      tokenName: 'leaked',
      type: 'client',
    });
    const stream = await fetch(`${url}/api/client/streaming`, {
      headers: { authorization: body.secret },
    });
    const text = stream.text();
    await calls.admin('POST', `/api-tokens/${body.id}/rotate`, {
      overlapMinutes: 0,
    });
    expect(await text).toMatch(/^event: unleash-connected\n/);
  });
});

it('are streamed to a limited number of SDKs', async () => {
  const service = await startFeatureFlags({ config: { streams: { most: 0 } } });
  const { send } = callsTo(service);
  const response = await send('GET', '/api/client/streaming', {
    token: CLIENT_TOKEN,
  });
  expect([response.status, response.headers['retry-after']]).toEqual([
    429,
    '30',
  ]);
  await service.stop();
});
