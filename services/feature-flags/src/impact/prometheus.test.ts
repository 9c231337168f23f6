import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import {
  ADMIN_TOKEN,
  CLIENT_TOKEN,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';
import type { ImpactRecord } from '../model/ImpactMetric.ts';
import { ImpactStore } from '../storage/ImpactStore.ts';
import { featureFlags } from '../service.ts';

describe.each(testDatabaseClients())(
  'impact metrics for Prometheus on %s',
  client => {
    const suite = flagsSuite(client);
    const scrape = (token: string) =>
      suite.calls.send('GET', '/internal-backstage/impact/metrics', { token });
    const report = (...impactMetrics: object[]) =>
      suite.calls.client('POST', '/metrics', {
        appName: 'shop',
        impactMetrics,
      });

    it('sums counters, keeps the last value of gauges and the buckets of histograms', async () => {
      const labels = { appName: 'shop', flag: 'a "b"\\' };
      const histogram = (count: number) => ({
        name: 'latency',
        type: 'histogram',
        samples: [
          {
            count,
            sum: count / 2,
            buckets: [
              { le: 0.5, count: count - 1 },
              { le: '+Inf', count },
            ],
          },
        ],
      });
      await report(
        { name: 'orders', type: 'counter', samples: [{ value: 2, labels }] },
        { name: 'queue-length', type: 'gauge', samples: [{ value: 9 }] },
        histogram(4),
      );
      await report(
        { name: 'orders', type: 'counter', samples: [{ value: 3, labels }] },
        { name: 'queue-length', type: 'gauge', samples: [{ value: 7 }] },
        histogram(2),
      );
      const { status, headers, text } = await scrape(`Bearer ${ADMIN_TOKEN}`);
      expect(status).toBe(200);
      expect(headers['content-type']).toContain('version=0.0.4');
      expect(text.split('\n')).toEqual([
        '# TYPE latency histogram',
        'latency_bucket{environment="development",le="0.5"} 4',
        'latency_bucket{environment="development",le="+Inf"} 6',
        'latency_sum{environment="development"} 3',
        'latency_count{environment="development"} 6',
        '# TYPE orders counter',
        'orders{environment="development",appName="shop",flag="a \\"b\\"\\\\"} 5',
        '# TYPE queue_length gauge',
        'queue_length{environment="development"} 7',
        '',
      ]);
    });

    it('are of the environment of the token, whatever SDKs name', async () => {
      const sample = (environment: string) => ({
        value: 1,
        labels: { environment },
      });
      await report({
        name: 'orders',
        type: 'counter',
        // SDKs send `default` if the application names no environment.
        samples: [sample('default'), sample('production')],
      });
      const { text } = await scrape(ADMIN_TOKEN);
      expect(text).toBe(
        '# TYPE orders counter\norders{environment="development"} 2\n',
      );
    });

    it('count one type for each name, and no numbers that cannot be stored', async () => {
      const histogram = (count: number, within: number) => ({
        name: 'latency',
        type: 'histogram',
        samples: [{ count, sum: 1, buckets: [{ le: '+Inf', count: within }] }],
      });
      const { status } = await report(
        histogram(1e300, 1),
        histogram(1, 1e300),
        histogram(-1, 1),
        histogram(3, 3),
        { name: 'latency', type: 'counter', samples: [{ value: 2 }] },
        {
          name: 'orders',
          type: 'counter',
          samples: [{ value: 1.7e308 }, { value: 1.7e308 }],
        },
      );
      expect(status).toBe(202);
      const { text } = await scrape(ADMIN_TOKEN);
      expect(text.split('\n')).toEqual([
        '# TYPE latency counter',
        'latency{environment="development"} 2',
        '# TYPE orders counter',
        'orders{environment="development"} +Inf',
        '',
      ]);
      const { text: metrics } = await suite.calls.send('GET', '/metrics');
      expect(metrics).toContain(
        'feature_flags_usage_lost_total{reason="unreadable"} 3',
      );
    });

    it('are not permitted for SDKs', async () => {
      expect((await scrape(CLIENT_TOKEN)).status).toBe(403);
    });
  },
);

describe.each(testDatabaseClients())('series on %s', client => {
  it('are limited: more samples of known ones are added, new ones are not', async () => {
    const { database, dispose } = await openTestDatabase(client, featureFlags);
    const service = await startFeatureFlags({ database });
    const store = new ImpactStore(database, { most: 2 });
    const sample = (labels: string): ImpactRecord => ({
      name: 'orders',
      environment: 'development',
      startsAt: 0,
      kind: 'counter',
      labels,
      sum: 1,
      count: 1,
      last: 1,
      buckets: [],
    });
    expect(await store.add(['{"a":"1"}', '{"a":"2"}'].map(sample))).toBe(0);
    expect(await store.add(['{"a":"2"}', '{"a":"3"}'].map(sample))).toBe(1);
    const totals = await store.totals();
    expect(totals.map(({ labels, sum }) => [labels, sum])).toEqual([
      ['{"a":"1"}', 1],
      ['{"a":"2"}', 2],
    ]);
    await service.stop();
    await dispose();
  });
});
