import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import type { Service } from '@slipway/service-kit';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { event } from '../__testUtils__/analyticsSuite.ts';
import {
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';

const MEBIBYTE = 1024 * 1024;
const URLS = ['/api/capture', '/api/batch', '/batch'];
/** A body that once blocked the process for 5.5 s and used 2.9 GB. */
const ZEROS = `[${'0,'.repeat(9_400_000)}0]`;
const BOMBS: Record<string, Uint8Array<ArrayBuffer>> = Object.fromEntries(
  Object.entries({
    'without a key': `{"batch":${ZEROS}}`,
    'with a key behind it': `{"batch":${ZEROS},"api_key":"x"}`,
    'with a wrong key': `{"api_key":"phc_guess","batch":${ZEROS}}`,
    'with a key': `{"api_key":"${PROJECT_KEY}","batch":${ZEROS}}`,
  }).map(([how, text]) => [how, gzipSync(text)]),
);
const RANDOM = Array.from({ length: 10_000 }, () => String(Math.random()));

let service: Service;
let url: string;
let parsed: number;

beforeAll(async () => {
  service = await startAnalytics({
    config: {
      capture: { eventsPerMinute: 200 },
      rateLimit: { anonymousPerMinute: 100 },
    },
  });
  parsed = 0;
  const { parse } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    parsed = Math.max(parsed, text.length);
    return parse(text, reviver);
  });
  url = await service.start();
});

afterAll(async () => {
  vi.restoreAllMocks();
  await service.stop();
});

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, body: await response.json() };
}

describe.each(URLS)('a bomb for %s', path => {
  it.each([
    ['without a key', 413],
    ['with a key behind it', 413],
    ['with a wrong key', 401],
    ['with a key', 413],
  ])('%s is refused and costs next to nothing', async (how, status) => {
    const bomb = BOMBS[how];
    expect(bomb.length).toBeLessThan(20_000);
    parsed = 0;
    const before = process.memoryUsage().rss;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const answer = await post(path, bomb);
    delay.disable();
    expect(answer.status).toBe(status);
    expect(delay.max / 1e6).toBeLessThan(patient(1_000));
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MEBIBYTE);
    expect(parsed).toBeLessThan(MEBIBYTE);
  });
});

it('a key is found after the events of a small body, compressed or not', async () => {
  const body = JSON.stringify({
    batch: [{ ...event, properties: { text: RANDOM.slice(0, 2_000) } }],
    api_key: PROJECT_KEY,
  });
  expect(body.length).toBeGreaterThan(32 * 1024);
  for (const path of ['/api/batch', '/batch']) {
    expect((await post(path, body)).status).toBe(200);
    expect((await post(path, gzipSync(body))).status).toBe(200);
  }
});

it('a large body requires its key at the start, or in X-Api-Key', async () => {
  const batch = [{ ...event, properties: { text: 'x'.repeat(2 * MEBIBYTE) } }];
  const first = JSON.stringify({ api_key: PROJECT_KEY, batch });
  const last = JSON.stringify({ batch, api_key: PROJECT_KEY });
  const header = { 'x-api-key': PROJECT_KEY };
  expect((await post('/batch', first)).status).toBe(200);
  expect((await post('/batch', gzipSync(first))).status).toBe(200);
  expect((await post('/batch', last, header)).status).toBe(200);
  expect(await post('/batch', last)).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large' },
  });
});

it('a large body with an unknown key is not read completely', async () => {
  parsed = 0;
  const batch = [{ ...event, properties: { text: RANDOM.join().repeat(20) } }];
  const answer = await post(
    '/batch',
    JSON.stringify({ api_key: 'phc_guess', batch }),
  );
  expect(answer).toMatchObject({
    status: 401,
    body: { code: 'authentication_failed', attr: 'api_key' },
  });
  expect(parsed).toBeLessThan(patient(1_000));
});

it('a body without a key is not parsed if its address exceeded the limit', async () => {
  const keyless = JSON.stringify({ batch: RANDOM });
  while ((await post('/batch', '{}')).status === 401) {
    // Use up the limit.
  }
  parsed = 0;
  const answer = await post('/batch', keyless);
  expect(answer).toMatchObject({ status: 429, body: { code: 'throttled' } });
  expect(parsed).toBeLessThan(patient(1_000));
  // Callers with a key are not affected.
  const one = JSON.stringify({ api_key: PROJECT_KEY, ...event });
  expect((await post('/api/capture', one)).status).toBe(200);
});

it('a large body of a project that exceeded its limit is not parsed', async () => {
  const full = Array.from({ length: 200 }, () => event);
  while (
    (
      await post(
        '/api/batch',
        JSON.stringify({ api_key: PROJECT_KEY, batch: full }),
      )
    ).status === 200
  ) {
    // Use up the limit.
  }
  const one = JSON.stringify({ api_key: PROJECT_KEY, ...event });
  while ((await post('/api/capture', one)).status === 200) {
    // Use up the limit.
  }
  parsed = 0;
  const batch = [{ ...event, properties: { text: RANDOM } }];
  const answer = await post(
    '/api/batch',
    JSON.stringify({ api_key: PROJECT_KEY, batch }),
  );
  expect(answer).toMatchObject({ status: 429, body: { code: 'throttled' } });
  expect(parsed).toBeLessThan(patient(1_000));
});

it('a large body of an SDK is not parsed once the deferred limit is reached', async () => {
  const full = await startAnalytics({
    config: { capture: { eventsPerMinute: 10, deferredEvents: 20 } },
  });
  const client = clientOf(full);
  const batch = Array.from({ length: 40 }, () => event);
  expect(
    (await client.post('/batch', { api_key: PROJECT_KEY, batch })).status,
  ).toBe(200);
  parsed = 0;
  const answer = await client.post('/batch', {
    api_key: PROJECT_KEY,
    batch: [{ ...event, properties: { text: RANDOM } }],
  });
  expect(answer).toMatchObject({ status: 429, body: { code: 'throttled' } });
  expect(parsed).toBeLessThan(patient(1_000));
  await full.stop();
});
