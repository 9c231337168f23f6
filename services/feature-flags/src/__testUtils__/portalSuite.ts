import type { Database, Service } from '@slipway/service-kit';
import { FakePortal, openTestDatabase } from '@slipway/service-kit/testing';
import { callsTo, startFeatureFlags } from './startFeatureFlags.ts';

const ADMINS = ['group:default/platform-admins'];

/** The people of a {@link portalSuite}; bob is no admin. */
export type Person = 'ada' | 'grace' | 'bob';

type Call = ReturnType<typeof callsTo>['admin'];

/**
 * The service on an empty database, with a clock that tests move and people who sign in
 * at a portal, for each test of a block. It is started: what is due gets done.
 */
export function portalSuite(
  client: Database['client'],
  { config = {} }: { config?: object } = {},
) {
  let running: {
    portal: FakePortal;
    service: Service;
    clock: { offset: number };
    restart: () => Promise<void>;
    dispose: () => Promise<void>;
  };

  beforeEach(async () => {
    const { database, dispose } = await openTestDatabase(client);
    const portal = await FakePortal.start({
      groups: { 'user:default/ada': ADMINS, 'user:default/grace': ADMINS },
    });
    const clock = { offset: 0 };
    const start = async () => {
      const service = await startFeatureFlags({
        database,
        now: () => Date.now() + clock.offset,
        config: { portal: { baseUrl: portal.baseUrl }, ...config },
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
    /** The time of the service, moved by so many minutes from now on. */
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
