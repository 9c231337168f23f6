import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { Unleash, type UnleashConfig, UnleashEvents } from 'unleash-client';
import { destroySdk } from './__testUtils__/destroySdk.ts';
import {
  callsTo,
  CLIENT_TOKEN,
  startFeatureFlags,
} from './__testUtils__/startFeatureFlags.ts';
import { featureFlags } from './service.ts';

/** Runs Unleash's unmodified SDK for Node. */
describe.each(testDatabaseClients())('unleash-client on %s', client => {
  let service: Service;
  let url: string;
  let dispose: () => Promise<void>;
  let backups: string;
  const sdks: Unleash[] = [];

  beforeEach(async () => {
    const test = await openTestDatabase(client, featureFlags);
    dispose = test.dispose;
    service = await startFeatureFlags({ database: test.database });
    url = await service.start();
    backups = await mkdtemp(path.join(tmpdir(), 'unleash-'));
  });

  afterEach(async () => {
    sdks.splice(0).forEach(destroySdk);
    await service.stop();
    await dispose();
    await rm(backups, { recursive: true, force: true });
  });

  function connect(more: Partial<UnleashConfig> = {}): Unleash {
    const sdk = new Unleash({
      url: `${url}/api`,
      appName: 'shop',
      instanceId: 'shop-1',
      refreshInterval: 100,
      metricsInterval: 200,
      metricsJitter: 0,
      backupPath: backups,
      customHeaders: { Authorization: CLIENT_TOKEN },
      ...more,
    });
    sdk.on(UnleashEvents.Error, error => {
      throw error;
    });
    sdks.push(sdk);
    return sdk;
  }

  const once = (sdk: Unleash, event: UnleashEvents) =>
    new Promise<unknown>(resolve => {
      sdk.once(event, resolve);
    });

  it('registers, evaluates, polls with 304, follows a toggle and reports usage', async () => {
    const calls = callsTo(service);
    await calls.create('checkout', {
      enabled: true,
      strategies: [
        {
          name: 'gradualRolloutUserId',
          parameters: { percentage: '50', groupId: 'checkout' },
        },
      ],
    });
    await calls.create('beta', {
      enabled: true,
      strategies: [
        {
          name: 'flexibleRollout',
          parameters: {
            rollout: '50',
            stickiness: 'userId',
            groupId: 'checkout',
          },
        },
      ],
    });

    const sdk = connect();
    const registered = once(sdk, UnleashEvents.Registered);
    await once(sdk, UnleashEvents.Synchronized);
    await registered;

    const users = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    const on = users.filter(userId => sdk.isEnabled('checkout', { userId }));
    expect(on.length).toBeGreaterThan(70);
    expect(on.length).toBeLessThan(130);
    // Both strategies hash the same way.
    expect(users.filter(userId => sdk.isEnabled('beta', { userId }))).toEqual(
      on,
    );
    expect(sdk.isEnabled('missing')).toBe(false);

    await once(sdk, UnleashEvents.Unchanged);
    const changed = once(sdk, UnleashEvents.Changed);
    await calls.admin('POST', '/features/checkout/toggle/off');
    await changed;
    expect(sdk.isEnabled('checkout', { userId: on[0] })).toBe(false);

    await vi.waitUntil(async () => {
      const { body } = await calls.admin('GET', '/metrics/features/checkout');
      return body.lastHourUsage.yes + body.lastHourUsage.no === 201;
    });
    const { body } = await calls.admin('GET', '/metrics/features/checkout');
    expect(body).toEqual({
      featureName: 'checkout',
      lastHourUsage: { yes: on.length, no: 201 - on.length },
      seenApplications: ['shop'],
    });
    const { body: seen } = await calls.admin('GET', '/metrics/applications');
    expect(seen.applications).toEqual([
      expect.objectContaining({
        appName: 'shop',
        instances: 1,
        sdkVersions: [expect.stringMatching(/^unleash-node-sdk:/)],
      }),
    ]);
  });

  it('reads only the configured part of the flags', async () => {
    const calls = callsTo(service);
    await calls.create('pay.one', { enabled: true, project: 'payments' });
    await calls.create('other', { enabled: true, project: 'payments' });
    await calls.create('pay.two', { enabled: true });
    const sdk = connect({ projectName: 'payments', namePrefix: 'pay.' });
    await once(sdk, UnleashEvents.Synchronized);
    const names = sdk.getFeatureToggleDefinitions().map(({ name }) => name);
    expect(names).toEqual(['pay.one']);
  });
});
