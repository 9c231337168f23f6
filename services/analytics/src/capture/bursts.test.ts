import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PostHog } from 'posthog-node';
import type { Service } from '@slipway/service-kit';
import {
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';

const eventsOf = (count: number) =>
  Array.from({ length: count }, () => ({
    event: 'burst',
    distinct_id: 'ada',
    uuid: randomUUID(),
  }));

describe('a burst of an SDK', () => {
  let directory: string;
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  const start = async (capture: object) => {
    service = await startAnalytics({
      directory,
      config: {
        capture,
        events: { directory, engine: 'sqlite' },
      },
    });
    client = clientOf(service);
    return service.start();
  };
  const metric = async (name: string) => {
    const { body } = await service.app.inject('/metrics');
    const [, value] = new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'm').exec(
      body,
    ) ?? [undefined, '0'];
    return Number(value);
  };

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'bursts-'));
  });

  afterEach(async () => {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('of posthog-node is stored completely, with the excess deferred on disk', async () => {
    const host = await start({ eventsPerMinute: 1_000 });
    const posthog = new PostHog(PROJECT_KEY, { host, flushAt: 100 });
    const errors: unknown[] = [];
    posthog.on('error', error => errors.push(error));
    for (let number = 0; number < 1_500; number += 1) {
      posthog.capture({ distinctId: `user-${number}`, event: 'burst' });
    }
    await posthog.shutdown();
    expect(errors).toEqual([]);
    expect(await client.count()).toBe(1_000);
    expect(await metric('analytics_events_deferred')).toBe(500);
    expect(await metric('analytics_events_dropped_total')).toBe(0);
    expect(await metric('analytics_events_refused_total')).toBe(0);

    // Restart, and continue in the next minute.
    await service.stop();
    await start({ eventsPerMinute: 1_000 });
    await vi.waitFor(async () => expect(await client.count()).toBe(1_500));
    expect(await metric('analytics_events_deferred')).toBe(0);
  });

  it('of 10,000 events at once loses and duplicates none', async () => {
    await start({ eventsPerMinute: 1_000 });
    const batch = eventsOf(10_000);
    const body = { api_key: PROJECT_KEY, batch };
    expect((await client.post('/batch/', body)).status).toBe(200);
    // Send the events again, like an SDK that did not receive the response.
    expect((await client.post('/batch/', body)).status).toBe(200);
    await service.stop();
    await start({ eventsPerMinute: 100_000 });
    await vi.waitFor(async () =>
      expect(await metric('analytics_events_deferred')).toBe(0),
    );
    const { body: answer } = await client.query({
      select: ['uuid'],
      limit: 50_000,
    });
    expect(answer.results.flat().sort()).toEqual(
      batch.map(({ uuid }) => uuid).sort(),
    );
  });

  it('that exceeds the deferred limit loses the rest, and counts the lost events', async () => {
    await start({ eventsPerMinute: 10, deferredEvents: 20 });
    const body = { api_key: PROJECT_KEY, batch: eventsOf(45) };
    expect((await client.post('/batch/', body)).status).toBe(200);
    expect(await client.count()).toBe(10);
    expect(await metric('analytics_events_deferred')).toBe(20);
    expect(await metric('analytics_events_dropped_total')).toBe(15);
  });

  it('is never stored in part by requests of the contract', async () => {
    await start({ eventsPerMinute: 10 });
    expect((await client.batch(eventsOf(11))).status).toBe(429);
    expect(await client.count()).toBe(0);
    expect(await metric('analytics_events_refused_total')).toBe(11);
  });
});
