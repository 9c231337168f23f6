import type { Service } from '@slipway/service-kit';
import type { EngineName } from '../store/EventStore.ts';
import { clientOf, startAnalytics } from './startAnalytics.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

/** An event that is in order. */
export const event = { event: 'signed up', distinct_id: 'ada' };

/** An empty service for each test of a block, calls to it, and its clock. */
export function analyticsSuite(engine: EngineName) {
  const clock = { now: NOW };
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeEach(async () => {
    clock.now = NOW;
    service = await startAnalytics({ engine, now: () => clock.now });
    client = clientOf(service);
  });

  afterEach(() => service.stop());

  return {
    clock,
    get client() {
      return client;
    },
  };
}
