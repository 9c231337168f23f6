import type { Service } from '@slipway/service-kit';
import { PostHog as PostHogLite } from 'posthog-js-lite';
import { PostHog } from 'posthog-node';
import {
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from './__testUtils__/startAnalytics.ts';

describe('an unmodified posthog-node', () => {
  let service: Service;
  let host: string;

  beforeEach(async () => {
    service = await startAnalytics();
    host = await service.start();
  });

  afterEach(() => service.stop());

  it.each([false, true])(
    'has everything kept once it is flushed or shut down (disableCompression: %s)',
    async disableCompression => {
      const posthog = new PostHog(PROJECT_KEY, { host, disableCompression });
      const errors: unknown[] = [];
      posthog.on('error', error => errors.push(error));
      posthog.capture({
        distinctId: 'ada',
        event: 'opened',
        properties: { page: 'home' },
        groups: { company: 'acme' },
      });
      posthog.identify({ distinctId: 'ada', properties: { plan: 'pro' } });
      posthog.alias({ distinctId: 'ada', alias: 'ada-anonymous' });
      posthog.groupIdentify({ groupType: 'company', groupKey: 'acme' });
      await posthog.flush();
      await posthog.captureImmediate({ distinctId: 'ada', event: 'now' });
      posthog.captureException(new Error('broken'), 'ada');
      for (let number = 0; number < 250; number += 1) {
        posthog.capture({ distinctId: `user-${number}`, event: 'many' });
      }
      await posthog.shutdown();
      expect(errors).toEqual([]);

      const { body } = await clientOf(service).query({
        select: ['event', 'count()'],
        orderBy: ['event'],
      });
      expect(Object.fromEntries(body.results)).toEqual({
        $create_alias: 1,
        $exception: 1,
        $groupidentify: 1,
        $identify: 1,
        many: 250,
        now: 1,
        opened: 1,
      });
      const opened = await clientOf(service).query({
        select: [
          'properties.page',
          'properties.$lib',
          "properties['$groups']",
          'distinct_id',
        ],
        event: 'opened',
      });
      expect(opened.body.results).toEqual([
        ['home', 'posthog-node', '{"company":"acme"}', 'ada'],
      ]);
    },
  );

  it('has its timestamps corrected if its clock is wrong', async () => {
    const client = clientOf(service);
    const asked = Date.now();
    const hourAgo = asked - 3_600_000;
    await client.post('/batch/', {
      api_key: PROJECT_KEY,
      sent_at: new Date(hourAgo + 5_000).toISOString(),
      batch: [
        {
          event: 'late clock',
          distinct_id: 'ada',
          timestamp: new Date(hourAgo).toISOString(),
        },
      ],
    });
    const { body } = await client.query({ select: ['timestamp'] });
    const answered = Date.now();
    const age = answered - Date.parse(body.results[0][0]);
    expect(age).toBeGreaterThanOrEqual(5_000);
    expect(age).toBeLessThanOrEqual(5_000 + answered - asked);
  });
});

describe('an unmodified SDK', () => {
  let service: Service;
  let host: string;

  beforeEach(async () => {
    service = await startAnalytics();
    host = await service.start();
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await service.stop();
  });

  const counts = async () => {
    const { body } = await clientOf(service).query({
      select: ['event', 'count()'],
      orderBy: ['event'],
    });
    return Object.fromEntries(body.results);
  };

  it('for Node has all events stored with the newest protocol', async () => {
    vi.stubEnv('POSTHOG_CAPTURE_MODE', 'v1');
    const asked: string[] = [];
    const posthog = new PostHog(PROJECT_KEY, {
      host,
      fetch: async (url, options) => {
        asked.push(new URL(url).pathname);
        return fetch(url, options as RequestInit);
      },
    });
    const errors: unknown[] = [];
    posthog.on('error', error => errors.push(error));
    posthog.capture({ distinctId: 'ada', event: 'opened' });
    posthog.identify({ distinctId: 'ada', properties: { plan: 'pro' } });
    await posthog.shutdown();
    expect(errors).toEqual([]);
    expect(new Set(asked)).toEqual(new Set(['/i/v1/analytics/events']));
    expect(await counts()).toEqual({ $identify: 1, opened: 1 });
  });

  it('for small pages has all events stored, and requests flags', async () => {
    const posthog = new PostHogLite(PROJECT_KEY, {
      host,
      persistence: 'memory',
    });
    const errors: unknown[] = [];
    posthog.on('error', error => errors.push(error));
    posthog.capture('opened', { page: 'home' });
    posthog.identify('ada', { plan: 'pro' });
    posthog.capture('bought');
    expect(await posthog.reloadFeatureFlagsAsync()).toEqual({});
    await posthog.shutdown();
    expect(errors).toEqual([]);
    expect(await counts()).toMatchObject({
      $identify: 1,
      bought: 1,
      opened: 1,
    });
  });
});
