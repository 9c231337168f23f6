import type { Service } from '@slipway/service-kit';
import type { EngineName } from '../store/EventStore.ts';
import { clientOf, startAnalytics } from './startAnalytics.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

/** A valid event. */
export const event = { event: 'signed up', distinct_id: 'ada' };

/**
 * Starts an empty service, and returns calls to it and its clock.
 *
 * @param scope - `test` for a new service for each test, `block` for one that tests share which
 *   only read.
 */
export function analyticsSuite(
  engine: EngineName,
  scope: 'test' | 'block' = 'test',
) {
  const [before, after] =
    scope === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  const clock = { now: NOW };
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  before(async () => {
    clock.now = NOW;
    service = await startAnalytics({ engine, now: () => clock.now });
    client = clientOf(service);
  });

  after(() => service.stop());

  return {
    clock,
    get client() {
      return client;
    },
  };
}
