import type { Service } from '@slipway/service-kit';
import type { EngineName } from '../store/EventStore.ts';
import { clientOf, startAnalytics } from './startAnalytics.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

/** A valid event. */
export const event = { event: 'signed up', distinct_id: 'ada' };

/** Projects of a service that tests share. Must be at least twice as many as the tests of any suite. */
const PROJECTS = Array.from({ length: 100 }, (_, index) => ({
  id: `project-${index}`,
  key: `phc_test_key_${index}`,
  token: `phx_test_token_${index}`,
}));

/**
 * Starts an empty service that the tests of a block share. Returns clients that call it, and its clock.
 *
 * @param scope - `project` for one project per test; `block` for one project, for tests that only read.
 */
export function analyticsSuite(engine: EngineName, scope: 'project' | 'block') {
  const clock = { now: NOW };
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeAll(async () => {
    service = await startAnalytics({
      engine,
      now: () => clock.now,
      ...(scope === 'project' && { config: sharedConfig() }),
    });
    client = clientOf(service);
  });

  let used = 0;
  beforeEach(() => {
    if (scope === 'project') {
      clock.now = NOW;
      client = clientOf(service, PROJECTS[used]);
      used += 1;
    }
  });

  afterAll(() => service.stop());

  return {
    clock,
    get client() {
      return client;
    },
    /** A second project, which only the current test uses. */
    get other() {
      return PROJECTS.at(-used)!;
    },
  };
}

function sharedConfig() {
  return {
    rateLimit: { enabled: false },
    projects: PROJECTS.map(({ id, key, token }) => ({
      id,
      name: id,
      keys: [{ name: 'test', key }],
      apiTokens: [{ name: 'test', key: token }],
    })),
  };
}
