import type { Database, Service } from '@slipway/service-kit';
import { FakePortal, openTestDatabase } from '@slipway/service-kit/testing';
import { callsTo, startFeatureFlags } from './startFeatureFlags.ts';
import { featureFlags } from '../service.ts';

const ADMINS = ['group:default/platform-admins'];

/** The people of a {@link portalSuite}; bob is not an admin. */
export type Person = 'ada' | 'grace' | 'bob';

type Call = ReturnType<typeof callsTo>['admin'];

/**
 * Starts the service for each test, with an empty database, a clock that tests can move, and users
 * who sign in at a portal. Work that is due runs.
 */
export function portalSuite(
  client: Database['client'],
  {
    config = () => ({}),
  }: {
    /** Returns additional configuration, given the URL of the portal. */
    config?: (portalUrl: string) => object;
  } = {},
) {
  let running: {
    portal: FakePortal;
    service: Service;
    clock: { offset: number };
    restart: () => Promise<void>;
    dispose: () => Promise<void>;
  };

  beforeEach(async () => {
    const { database, dispose } = await openTestDatabase(client, featureFlags);
    const portal = await FakePortal.start({
      groups: { 'user:default/ada': ADMINS, 'user:default/grace': ADMINS },
    });
    const clock = { offset: 0 };
    const start = async () => {
      const service = await startFeatureFlags({
        database,
        now: () => Date.now() + clock.offset,
        config: {
          portal: { baseUrl: portal.baseUrl },
          ...config(portal.baseUrl),
        },
      });
      await service.start();
      return service;
    };
    running = {
      portal,
      service: await start(),
      clock,
      restart: async () => {
        await running.service.stop();
        running.service = await start();
      },
      dispose,
    };
  });

  afterEach(async () => {
    await running.service.stop();
    await running.portal.stop();
    await running.dispose();
  });

  const as =
    (person: Person): Call =>
    async (method, path, payload) =>
      callsTo(running.service).send(method, `/api/admin${path}`, {
        payload,
        token: `Bearer ${await running.portal.token(`user:default/${person}`)}`,
      });

  return {
    ada: as('ada'),
    grace: as('grace'),
    bob: as('bob'),
    get calls() {
      return callsTo(running.service);
    },
    get portal() {
      return running.portal;
    },
    /** Returns the time on the service's clock a number of minutes from now. */
    timeIn: (minutes: number) =>
      new Date(
        Date.now() + running.clock.offset + minutes * 60_000,
      ).toISOString(),
    pass: (minutes: number) => {
      running.clock.offset += minutes * 60_000;
    },
    restart: () => running.restart(),
  };
}
