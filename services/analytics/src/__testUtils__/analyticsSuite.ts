import type { Service } from '@slipway/service-kit';
import type { EngineName } from '../store/EventStore.ts';
import { clientOf, startAnalytics } from './startAnalytics.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

/** A valid event. */
export const event = { event: 'signed up', distinct_id: 'ada' };

/** Projects of a service that tests share; more projects than any suite has tests. */
const PROJECTS = Array.from({ length: 100 }, (_, index) => ({
  id: `project-${index}`,
  key: `phc_test_key_${index}`,
  token: `phx_test_token_${index}`,
}));

/**
 * Starts an empty service, and returns functions that call it and its clock.
 *
 * @param scope - `test` for a new service per test; `project` for a shared service with one
 *   project per test; `block` for a shared service with one project, for tests that only
 *   read.
 */
export function analyticsSuite(
  engine: EngineName,
  scope: 'test' | 'project' | 'block' = 'test',
) {
  const [before, after] =
    scope === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  const clock = { now: NOW };
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  before(async () => {
    clock.now = NOW;
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

  after(() => service.stop());

  return {
    clock,
    get client() {
      return client;
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
