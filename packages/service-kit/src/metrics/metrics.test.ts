import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  shopConfig,
  shopKey,
  shopService,
} from '../__fixtures__/shopService.ts';
import type { Service } from '../index.ts';
import type { CachedGauge, Sample } from './Metrics.ts';
import { startTestService } from '../testing/index.ts';

let service: Service;
let gauge: CachedGauge<'team'>;
let compute: () => Promise<readonly Sample<'team'>[]>;
let computeTotal: () => Promise<readonly Sample<never>[]>;
let now: number;

beforeEach(async () => {
  now = 0;
  compute = async () => [{ labels: { team: 'a' }, value: 1 }];
  computeTotal = async () => [{ value: 7 }];
  const definition = shopService({
    extend({ metrics }) {
      gauge = metrics.cachedGauge({
        name: 'shop_orders',
        help: 'Orders of a team',
        labelNames: ['team'],
        everySeconds: 30,
        compute: () => compute(),
      });
      metrics.cachedGauge({
        name: 'shop_total',
        help: 'Orders in all',
        compute: () => computeTotal(),
      });
    },
  });
  service = await startTestService(definition, {
    config: shopConfig,
    now: () => now,
  });
});

afterEach(() => service.stop());

async function scrape(): Promise<string> {
  const response = await service.app.inject('/metrics');
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe(
    'text/plain; version=0.0.4; charset=utf-8',
  );
  return response.body;
}

const seriesOf = (text: string, name: string) =>
  text.split('\n').filter(line => line.startsWith(name));

it('observes requests by route, never by path', async () => {
  const { app } = service;
  await app.inject('/api/orders/1');
  await app.inject('/api/orders/2');
  await app.inject('/api/anything/else');
  await app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: shopKey,
    payload: { rating: 1 },
  });
  expect(
    seriesOf(await scrape(), 'http_request_duration_seconds_count'),
  ).toEqual([
    'http_request_duration_seconds_count{method="GET",route="/api/orders/:id",status="404"} 2',
    'http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1',
    'http_request_duration_seconds_count{method="POST",route="/api/orders",status="201"} 1',
  ]);
});

it('reports process metrics', async () => {
  expect(await scrape()).toMatch(/^process_resident_memory_bytes \d+/m);
});

it('keeps no metrics of a stopped service in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const registries: WeakRef<object>[] = [];
  const definition = shopService({
    extend({ metrics }) {
      registries.push(new WeakRef(metrics.registry));
    },
  });
  // Checks only the first of three, because the stack may still refer to the last one.
  for (let count = 0; count < 3; count += 1) {
    const other = await startTestService(definition, { config: shopConfig });
    await other.stop();
  }
  await vi.waitFor(() => {
    collectGarbage();
    expect(registries[0].deref()).toBeUndefined();
  });
});

describe('a cached gauge', () => {
  it('is computed before the response to the first scrape', async () => {
    expect(seriesOf(await scrape(), 'shop_orders')).toEqual([
      'shop_orders{team="a"} 1',
    ]);
  });

  it('is computed in the background afterwards', async () => {
    await scrape();
    now = 31_000;
    let answer = (_samples: readonly Sample<'team'>[]) => {};
    compute = () =>
      new Promise(resolve => {
        answer = resolve;
      });
    expect(seriesOf(await scrape(), 'shop_orders')).toEqual([
      'shop_orders{team="a"} 1',
    ]);
    answer([{ labels: { team: 'a' }, value: 2 }]);
    await vi.waitFor(async () =>
      expect(seriesOf(await scrape(), 'shop_orders')).toEqual([
        'shop_orders{team="a"} 2',
      ]),
    );
  });

  it('exposes no value that was not computed, and still responds', async () => {
    computeTotal = () => new Promise<never>(() => {});
    expect(seriesOf(await scrape(), 'shop_total')).toEqual([]);
  });

  it('is recomputed when the clock was set back', async () => {
    now = 3_600_000;
    await gauge.refresh();
    compute = async () => [{ labels: { team: 'a' }, value: 2 }];
    now = 0;
    await vi.waitFor(async () =>
      expect(seriesOf(await scrape(), 'shop_orders')).toEqual([
        'shop_orders{team="a"} 2',
      ]),
    );
  });

  it('is recomputed only when it is old, and drops missing series', async () => {
    await gauge.refresh();
    compute = async () => [{ labels: { team: 'b' }, value: 2 }];
    now += 29_000;
    await scrape();
    await new Promise(setImmediate);
    expect(seriesOf(await scrape(), 'shop_orders')).toEqual([
      'shop_orders{team="a"} 1',
    ]);
    now += 1_000;
    await scrape();
    await vi.waitFor(async () =>
      expect(seriesOf(await scrape(), 'shop_orders')).toEqual([
        'shop_orders{team="b"} 2',
      ]),
    );
  });

  it('keeps its values if they cannot be recomputed', async () => {
    await gauge.refresh();
    compute = async () => {
      throw new Error('The database is away');
    };
    await gauge.refresh();
    expect(seriesOf(await scrape(), 'shop_orders')).toEqual([
      'shop_orders{team="a"} 1',
    ]);
  });
});
