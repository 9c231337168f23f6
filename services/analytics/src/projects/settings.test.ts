import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import { eventsConfig } from '../__testUtils__/clickhouseSetup.ts';
import { filesWith } from '../__testUtils__/filesWith.ts';
import { allEngines, startAnalytics } from '../__testUtils__/startAnalytics.ts';

const NOW = Date.parse('2026-11-21T22:00:00.000Z');

describe.each(allEngines)('settings of a project in %s', engine => {
  let directory: string;
  let portal: FakePortal;
  let service: Service;
  let ada: Record<string, string>;
  let key: string;

  const start = async () => {
    service = await startAnalytics({
      directory,
      now: () => NOW,
      config: {
        portal: { baseUrl: portal.baseUrl },
        database: {
          client: 'better-sqlite3',
          connection: { filename: path.join(directory, 'db.sqlite') },
        },
        events: {
          ...eventsConfig(engine, directory),
        },
      },
    });
  };
  const ask = async (
    method: 'GET' | 'PATCH' | 'POST',
    url: string,
    payload?: object,
    headers = ada,
  ) => {
    const response = await service.app.inject({
      method,
      url,
      payload,
      headers,
    });
    return { status: response.statusCode, body: response.json() };
  };
  const send = async (batch: object[]) => {
    const { status } = await ask('POST', '/api/batch', { api_key: key, batch });
    expect(status).toBe(200);
  };
  const query = async (select: string[]) => {
    const { body } = await ask('POST', '/api/projects/web/query', {
      query: { kind: 'EventsQuery', select, after: 'all' },
    });
    return body.results;
  };

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'settings-'));
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    ada = {
      authorization: `Bearer ${await portal.token('user:default/ada')}`,
    };
    await start();
    await ask('POST', '/api/projects', { id: 'web', name: 'Web' });
    const made = await ask('POST', '/api/projects/web/credentials', {
      kind: 'capture',
      name: 'web',
    });
    key = made.body.secret;
  });

  afterEach(async () => {
    await service.stop();
    await portal.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('set the time zone of its days and the first day of its weeks', async () => {
    // In Kathmandu it is Sunday, 1:45 in the morning.
    await send([
      { event: 'x', distinct_id: 'a', timestamp: '2026-11-21T20:00:00Z' },
    ]);
    const select = [
      'toDate(timestamp)',
      'toDate(toStartOfWeek(timestamp))',
      'toHour(timestamp)',
    ];
    expect(await query(select)).toEqual([['2026-11-21', '2026-11-15', 20]]);
    const change = { time_zone: 'Asia/Kathmandu', week_start: 'monday' };
    expect(await ask('PATCH', '/api/projects/web', change)).toMatchObject({
      status: 200,
      body: { id: 'web', name: 'Web', ...change },
    });
    expect(await query(select)).toEqual([['2026-11-22', '2026-11-16', 1]]);
    const trends = await ask('POST', '/api/projects/web/query', {
      query: {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'x' }],
        dateRange: { date_from: '-1d' },
        interval: 'day',
      },
    });
    expect(trends.body.results[0]).toMatchObject({
      data: [0, 1],
      days: ['2026-11-21', '2026-11-22'],
    });
    const refused = [
      [{ time_zone: 'Mars/Olympus' }, 400],
      [{ retention_days: 0 }, 400],
      [{}, 400],
    ] as const;
    for (const [body, status] of refused) {
      expect((await ask('PATCH', '/api/projects/web', body)).status).toBe(
        status,
      );
    }
    const other = await ask('PATCH', '/api/projects/shop', change);
    expect(other.status).toBe(409);
  });

  it('set how long events are kept; expired events are in no file', async () => {
    await send([
      {
        event: 'gone-for-good-8841',
        distinct_id: 'a',
        timestamp: '2026-10-01T00:00:00Z',
      },
      { event: 'kept', distinct_id: 'a', timestamp: '2026-11-10T00:00:00Z' },
    ]);
    await ask('POST', '/api/capture', {
      api_key: 'phc_test_key',
      event: 'kept of another',
      distinct_id: 'a',
      timestamp: '2026-10-01T00:00:00Z',
    });
    expect(await filesWith(directory, 'gone-for-good-8841')).not.toEqual([]);
    const { body } = await ask('PATCH', '/api/projects/web', {
      retention_days: 30,
    });
    expect(body.retention_days).toBe(30);
    await service.stop();
    await start();
    await service.start();
    await vi.waitUntil(
      async () => (await query(['event'])).length === 1,
      20_000,
    );
    await vi.waitUntil(
      async () =>
        (await filesWith(directory, 'gone-for-good-8841')).length === 0,
      20_000,
    );
    expect(await query(['event'])).toEqual([['kept']]);
    const others = await ask('POST', '/api/projects/shop/query', {
      query: { kind: 'EventsQuery', select: ['event'], after: 'all' },
    });
    expect(others.body.results).toEqual([['kept of another']]);
    const kept = await ask('PATCH', '/api/projects/web', {
      retention_days: null,
    });
    expect(kept.body).not.toHaveProperty('retention_days');
  });
});
