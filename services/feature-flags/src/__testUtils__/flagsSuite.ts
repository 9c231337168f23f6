import type { Database, Service } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import { callsTo, startFeatureFlags } from './startFeatureFlags.ts';
import { featureFlags } from '../service.ts';

/** The format of times in responses. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The registration of an SDK. */
export const registration = {
  appName: 'shop',
  instanceId: 'shop-1',
  sdkVersion: 'unleash-node-sdk:6.12.1',
  strategies: ['default', 'gradualRolloutUserId'],
  started: '2026-11-21T10:00:00.000Z',
  interval: 60_000,
};

/**
 * Starts the service with an empty database, and returns calls to it.
 *
 * @param scope - `test` for a new service for each test, `block` for one that all tests share.
 */
export function flagsSuite(
  client: Database['client'],
  scope: 'test' | 'block' = 'test',
) {
  const [before, after] =
    scope === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let running: {
    service: Service;
    calls: ReturnType<typeof callsTo>;
    dispose: () => Promise<void>;
  };

  before(async () => {
    const { database, dispose } = await openTestDatabase(client, featureFlags);
    const service = await startFeatureFlags({ database });
    running = { service, calls: callsTo(service), dispose };
  });

  after(async () => {
    await running.service.stop();
    await running.dispose();
  });

  return {
    get service() {
      return running.service;
    },
    get calls() {
      return running.calls;
    },
  };
}

/** The body of an error. */
export function anError(name: string, message: unknown = expect.any(String)) {
  return { name, message, details: [{ message }] };
}
