import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  anError,
  flagsSuite,
  registration,
  TIME,
} from '../__testUtils__/flagsSuite.ts';
import { portalSuite } from '../__testUtils__/portalSuite.ts';
import { CLIENT_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

describe.each(testDatabaseClients())('what SDKs lack on %s', client => {
  const suite = flagsSuite(client, 'block');
  const unknownFlags = async () =>
    (await suite.calls.admin('GET', '/metrics/unknown-flags')).body
      .unknownFlags;

  it('lists flags that applications ask for and that do not exist', async () => {
    await suite.calls.create('checkout');
    await suite.calls.report('checkout', { yes: 1, no: 0 });
    expect(await unknownFlags()).toEqual([]);

    await suite.calls.report('gone', { yes: 0, no: 1 });
    await suite.calls.report('gone', { yes: 0, no: 1, appName: 'shop' });
    await suite.calls.report('g'.repeat(101), { yes: 0, no: 1 });
    await suite.calls.report('__proto__', { yes: 0, no: 1 });
    const listed = await unknownFlags();
    expect(listed).toHaveLength(1);
    expect(listed).toEqual([
      {
        name: 'gone',
        lastSeenAt: expect.stringMatching(TIME),
        reports: ['shop', 'web'].map(appName => ({
          appName,
          environments: [
            {
              environment: 'development',
              seenAt: expect.stringMatching(TIME),
            },
          ],
        })),
      },
    ]);

    await suite.calls.create('gone');
    expect(await unknownFlags()).toEqual([]);
  });

  it('lists outdated SDKs with their applications', async () => {
    const register = (appName: string, sdkVersion: string) =>
      suite.calls.client('POST', '/register', {
        ...registration,
        appName,
        sdkVersion,
      });
    await register('shop', 'unleash-client-node:3.9.1');
    await register('pay', 'unleash-client-node:4.2.0');
    await register('own', 'unleash-client-node:main');
    await register('new', 'unleash-node-sdk:6.12.1');
    await register('odd', '__proto__:1.0.0');
    const { status, body } = await suite.calls.admin(
      'GET',
      '/metrics/sdks/outdated',
    );
    expect(status).toBe(200);
    expect(body.sdks).toEqual([
      {
        sdkVersion: 'unleash-client-node:3.9.1',
        minimum: '4.2.0',
        applications: [
          {
            appName: 'shop',
            environment: 'development',
            instances: 1,
            seenAt: expect.stringMatching(TIME),
          },
        ],
      },
    ]);
  });

  it.each(['/metrics/unknown-flags', '/metrics/sdks/outdated'])(
    'returns %s to admins only',
    async path => {
      const { status, body } = await suite.calls.send(
        'GET',
        `/api/admin${path}`,
        { token: CLIENT_TOKEN },
      );
      expect([status, body]).toEqual([403, anError('NoAccessError')]);
      const { status: anonymous } = await suite.calls.send(
        'GET',
        `/api/admin${path}`,
      );
      expect(anonymous).toBe(401);
    },
  );
});

describe.each(testDatabaseClients())('instances over time on %s', client => {
  const suite = portalSuite(client);
  const DAY = 24 * 60;
  const register = (instanceId: string, sdkVersion: string) =>
    suite.calls.client('POST', '/register', {
      ...registration,
      instanceId,
      sdkVersion,
    });
  const report = (instanceId: string) =>
    suite.calls.client('POST', '/metrics', {
      appName: 'shop',
      instanceId,
      bucket: { toggles: {} },
    });
  const applications = async () =>
    (await suite.calls.admin('GET', '/metrics/applications')).body.applications;

  it('are kept while they report, although they registered long ago', async () => {
    await register('one', 'unleash-client-node:6.12.1');
    suite.pass(89 * DAY);
    await report('one');
    await suite.restart();
    suite.pass(2 * DAY);
    await register('other', 'unleash-client-node:6.12.1');
    await suite.restart();
    expect(await applications()).toMatchObject([{ instances: 1 }]);
    await report('one');
    await suite.restart();
    expect(await applications()).toMatchObject([{ instances: 2 }]);
  });

  it.each(['/features', '/delta'])(
    'are kept while they read flags from %s, although they report no usage',
    async path => {
      await register('one', 'unleash-client-node:6.12.1');
      suite.pass(2 * DAY);
      await register('other', 'unleash-client-node:6.12.1');
      await suite.calls.send('GET', `/api/client${path}`, {
        token: CLIENT_TOKEN,
        headers: { 'unleash-appname': 'shop', 'unleash-instanceid': 'one' },
      });
      await suite.restart();
      expect(await applications()).toMatchObject([{ instances: 2 }]);
    },
  );

  const bulk = (instances: string[][], metrics: object[] = []) =>
    suite.calls.client('POST', '/metrics/bulk', {
      applications: instances.map(([instanceId, version]) => ({
        appName: 'shop',
        instanceId,
        sdkVersion: `unleash-client-node:${version}`,
        connectVia: [{ appName: 'edge', instanceId: 'edge-1' }],
      })),
      metrics,
    });
  const useBehindEdge = (version?: string) =>
    bulk(
      [],
      [
        {
          featureName: 'checkout',
          appName: 'shop',
          yes: 1,
          no: 0,
          ...(version && { sdkVersion: `unleash-client-node:${version}` }),
        },
      ],
    );

  it('are kept behind Edge while their SDK version is used, and only those that registered last', async () => {
    await bulk([['dead', '6.12.1']]);
    suite.pass(2 * DAY);
    await bulk([
      ['old', '3.9.1'],
      ['one', '6.12.1'],
    ]);
    suite.pass(60);
    await bulk([['two', '6.12.1']]);
    expect(await applications()).toMatchObject([{ instances: 3 }]);

    suite.pass(89 * DAY);
    await useBehindEdge('6.12.1');
    await suite.restart();
    expect(await applications()).toMatchObject([
      {
        instances: 2,
        sdkVersions: ['unleash-client-node:6.12.1'],
        seenAt: expect.stringContaining(suite.timeIn(0).slice(0, 10)),
      },
    ]);
  });

  it('are kept behind Edge, whatever their version, if it reports none', async () => {
    await bulk([
      ['old', '3.9.1'],
      ['one', '6.12.1'],
    ]);
    suite.pass(89 * DAY);
    await useBehindEdge();
    await suite.restart();
    expect(await applications()).toMatchObject([
      {
        instances: 2,
        seenAt: expect.stringContaining(suite.timeIn(0).slice(0, 10)),
      },
    ]);
  });

  it('no longer count once a deployment has replaced them', async () => {
    await register('old', 'unleash-client-node:3.9.1');
    const outdated = async () =>
      (await suite.calls.admin('GET', '/metrics/sdks/outdated')).body.sdks;
    expect(await outdated()).toHaveLength(1);
    suite.pass(2 * DAY);
    await register('new', 'unleash-client-node:6.12.1');
    expect(await outdated()).toEqual([]);
    expect(await applications()).toMatchObject([
      { instances: 1, sdkVersions: ['unleash-client-node:6.12.1'] },
    ]);
  });
});
