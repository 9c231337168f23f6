import { gzipSync } from 'node:zlib';
import type { Service } from '@slipway/service-kit';
import {
  API_TOKEN,
  clientOf,
  OTHER_KEY,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';

const PATHS = ['/batch', '/capture', '/e', '/engage', '/i/v0/e', '/track'];
const JSON_TYPE = { 'content-type': 'application/json' };
const TEXT_TYPE = { 'content-type': 'text/plain' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const base64 = (value: unknown) =>
  Buffer.from(JSON.stringify(value)).toString('base64');

let service: Service;
let client: ReturnType<typeof clientOf>;
let sent = 0;

beforeAll(async () => {
  service = await startAnalytics({
    config: {
      capture: { eventsPerMinute: 100_000 },
      projects: [
        {
          id: 'shop',
          name: 'Shop',
          keys: [{ name: 'test', key: PROJECT_KEY }],
          apiTokens: [{ name: 'test', key: API_TOKEN }],
        },
        {
          id: 'other',
          name: 'Other',
          keys: [{ name: 'test', key: OTHER_KEY }],
          origins: ['https://shop.example.com', 'https://*.example.org'],
        },
      ],
    },
  });
  client = clientOf(service);
});

afterAll(() => service.stop());

/** Returns a name that no event has yet, and an event with this name. */
function named() {
  sent += 1;
  const event = `event ${sent}`;
  return { event, body: { event, distinct_id: 'ada' } };
}

async function idsOf(event: string): Promise<unknown[]> {
  const { body } = await client.query({
    select: ['distinct_id'],
    event,
    orderBy: ['distinct_id'],
  });
  return body.results.flat();
}

async function inject(options: {
  method?: 'GET' | 'POST' | 'OPTIONS';
  url: string;
  headers?: Record<string, string>;
  payload?: string | Buffer;
}) {
  const { method = 'POST', ...rest } = options;
  return service.app.inject({ method, ...rest });
}

describe.each(PATHS.flatMap(path => [path, `${path}/`]))('%s', url => {
  it('accepts an event in every format', async () => {
    const { event, body } = named();
    const whole = { api_key: PROJECT_KEY, ...body };
    const inside = [{ ...body, properties: { token: PROJECT_KEY } }];
    const batch = { token: PROJECT_KEY, batch: [body] };
    const forms: [Record<string, string>, string | Buffer][] = [
      [JSON_TYPE, JSON.stringify(whole)],
      [JSON_TYPE, JSON.stringify(inside)],
      [TEXT_TYPE, JSON.stringify(batch)],
      [TEXT_TYPE, gzipSync(JSON.stringify(whole))],
      [
        { ...JSON_TYPE, 'content-encoding': 'gzip' },
        gzipSync(JSON.stringify(batch)),
      ],
      [FORM_TYPE, `data=${encodeURIComponent(base64(whole))}`],
      [FORM_TYPE, `data=${base64(inside)}&compression=base64`],
      [FORM_TYPE, `ip=1&data=${encodeURIComponent(JSON.stringify(batch))}`],
      [TEXT_TYPE, base64(whole)],
      [TEXT_TYPE, gzipSync(JSON.stringify(whole)).toString('base64')],
      [{}, JSON.stringify(whole)],
    ];
    for (const [headers, payload] of forms) {
      const answer = await inject({ url, headers, payload });
      expect([headers, answer.statusCode, answer.json()]).toEqual([
        headers,
        200,
        { status: 1 },
      ]);
    }
    expect(await idsOf(event)).toHaveLength(forms.length);
  });

  it('accepts an event in the URL, and returns a pixel', async () => {
    const { event, body } = named();
    const data = encodeURIComponent(base64({ ...body, token: PROJECT_KEY }));
    const answer = await inject({ method: 'GET', url: `${url}?data=${data}` });
    expect(answer.json()).toEqual({ status: 1 });
    const plain = encodeURIComponent(JSON.stringify(body));
    const pixel = await inject({
      method: 'GET',
      url: `${url}?data=${plain}&token=${PROJECT_KEY}&img=1`,
    });
    expect(pixel.headers['content-type']).toBe('image/gif');
    expect(pixel.rawPayload.subarray(0, 6).toString()).toBe('GIF89a');
    expect(await idsOf(event)).toHaveLength(2);
  });

  it('accepts requests from pages of any origin', async () => {
    const origin = 'https://any.example.net';
    const preflight = await inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.statusCode).toBe(204);
    const { body } = named();
    const answer = await inject({
      url,
      headers: { ...JSON_TYPE, origin },
      payload: JSON.stringify({ api_key: PROJECT_KEY, ...body }),
    });
    for (const { headers } of [preflight, answer]) {
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      });
    }
  });
});

describe('one bad event', () => {
  it.each([
    ['no name', { distinct_id: 'bad' }],
    ['no id', { event: 'x' }],
    ['an empty id', { event: 'x', distinct_id: '' }],
    ['no object', 'text'],
    ['nothing', null],
  ])(
    'with %s is dropped and counted, and its neighbours are kept',
    async (_how, bad) => {
      const { event, body } = named();
      const before = await dropped();
      const answer = await client.post('/batch/', {
        api_key: PROJECT_KEY,
        batch: [body, bad, { ...body, distinct_id: 'grace' }],
      });
      expect([answer.status, answer.body]).toEqual([200, { status: 1 }]);
      expect(await idsOf(event)).toEqual(['ada', 'grace']);
      expect(await dropped()).toBe(before + 1);
    },
  );

  it('is repaired if possible', async () => {
    const { event } = named();
    const deep = `${'{"a":'.repeat(90)}1${'}'.repeat(90)}`;
    const batch = [
      `{"event":"${event}","distinct_id":"${'x'.repeat(1_001)}"}`,
      `{"event":"${event}","distinct_id":{"id":7}}`,
      `{"event":"${event}","distinct_id":7,"properties":{"a\\u0000b":1,"\\ud800":"\\udfff"}}`,
      `{"event":"${event}","distinct_id":"deep","properties":{"deep":${deep}}}`,
      `{"event":"${event}","distinct_id":"odd","properties":[],"timestamp":5,"uuid":"x"}`,
      `{"event":"${event}","distinct_id":"${'😀'.repeat(150)}"}`,
    ];
    const answer = await client.post(
      '/batch/',
      `{"api_key":"${PROJECT_KEY}","batch":[${batch.join()}]}`,
    );
    expect([answer.status, answer.body]).toEqual([200, { status: 1 }]);
    expect(await idsOf(event)).toEqual([
      '7',
      'deep',
      'odd',
      'x'.repeat(200),
      '{"id":7}',
      '😀'.repeat(100),
    ]);
    const { body } = await client.query({
      select: ['properties'],
      event,
      where: ["distinct_id = '7'"],
    });
    expect(body.results).toEqual([
      [{ 'a\u{fffd}b': 1, '\u{fffd}': '\u{fffd}' }],
    ]);
  });

  it('with an overlong name is truncated', async () => {
    const name = `long ${'n'.repeat(1_000)}`;
    await client.post('/capture/', {
      api_key: PROJECT_KEY,
      event: name,
      distinct_id: 'ada',
    });
    expect(await idsOf(name.slice(0, 200))).toEqual(['ada']);
  });

  async function dropped(): Promise<number> {
    const { body } = await service.app.inject('/metrics');
    return [...body.matchAll(/^analytics_events_dropped_total\{.*\} (\d+)$/gm)]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0);
  }
});

describe('what SDKs send in addition to events', () => {
  it('includes persons without events', async () => {
    const answer = await client.post('/engage/', {
      $token: PROJECT_KEY,
      $distinct_id: 'engaged',
      $set: { plan: 'pro' },
    });
    expect(answer.status).toBe(200);
    const { body } = await client.query({
      select: ['event', 'properties'],
      where: ["distinct_id = 'engaged'"],
    });
    expect(body.results).toEqual([['$identify', { $set: { plan: 'pro' } }]]);
  });

  it('includes events of the newest protocol, each with its result', async () => {
    const { event, body } = named();
    const uuid = '01a1fd90-4447-707d-b85d-d570e463c901';
    const bad = '01a1fd90-4447-707d-b85d-d570e463c902';
    const send = (token: string) =>
      client.post(
        '/i/v1/analytics/events',
        {
          created_at: new Date().toISOString(),
          batch: [
            { ...body, uuid, session_id: 's-1', options: {} },
            { uuid: bad, event },
          ],
        },
        { authorization: `Bearer ${token}` },
      );
    expect(await send(PROJECT_KEY)).toMatchObject({
      status: 200,
      body: {
        results: {
          [uuid]: { result: 'ok' },
          [bad]: { result: 'drop', details: 'no_distinct_id' },
        },
      },
    });
    expect((await send('phc_wrong')).status).toBe(401);
    const found = await client.query({
      select: ['properties.$session_id'],
      event,
    });
    expect(found.body.results).toEqual([['s-1']]);
  });

  it('includes recordings, which are accepted and discarded', async () => {
    const before = await client.count();
    for (const url of ['/s', '/s/']) {
      const answer = await inject({
        url: `${url}?compression=gzip-js`,
        headers: TEXT_TYPE,
        payload: gzipSync(Buffer.alloc(3 << 20, 'x')),
      });
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: 1 }]);
    }
    expect(await client.count()).toBe(before);
  });

  it('includes requests for flags, if there are none', async () => {
    const ask = (url: string) =>
      client.post(url, { token: PROJECT_KEY, distinct_id: 'ada' });
    expect(await ask('/flags/?v=2')).toMatchObject({
      status: 200,
      body: { flags: {}, errorsWhileComputingFlags: false },
    });
    expect(await ask('/decide/?v=3')).toMatchObject({
      status: 200,
      body: { featureFlags: {}, featureFlagPayloads: {} },
    });
    const data = encodeURIComponent(base64({ token: PROJECT_KEY }));
    const form = await inject({
      url: '/decide/?v=3',
      headers: FORM_TYPE,
      payload: `data=${data}`,
    });
    expect(form.statusCode).toBe(200);
    expect((await client.post('/flags', { token: 'phc_wrong' })).status).toBe(
      401,
    );
  });
});

describe('the snippet', () => {
  it('loads posthog-js and its configuration from this service on any page', async () => {
    const origin = 'https://any.example.net';
    const get = (url: string) =>
      inject({ method: 'GET', url, headers: { origin } });
    const script = await get('/static/array.js');
    expect(script.statusCode).toBe(200);
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': origin,
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(script.body).toContain('posthog');
    const kind = await get('/static/1.449.2/web-vitals.js?v=1.449.2');
    expect(kind.statusCode).toBe(200);
    for (const url of [
      '/static/recorder.js',
      '/static/..%2Fpackage.json',
      '/static/1.0.0/nothing.js',
    ]) {
      expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
    }

    const config = await get(`/array/${PROJECT_KEY}/config?ip=0`);
    expect(config.json()).toMatchObject({
      token: PROJECT_KEY,
      supportedCompression: ['gzip', 'gzip-js'],
      hasFeatureFlags: false,
      sessionRecording: false,
    });
    const asScript = await get(`/array/${PROJECT_KEY}/config.js`);
    const window: Record<string, any> = {};
    // eslint-disable-next-line no-new-func
    new Function('window', asScript.body)(window);
    expect(window._POSTHOG_REMOTE_CONFIG[PROJECT_KEY].config).toEqual(
      config.json(),
    );
    expect((await get('/array/phc_wrong/config')).statusCode).toBe(401);
  });
});

describe('a project that lists origins', () => {
  it.each([
    ['https://shop.example.com', 200],
    ['https://a.example.org', 200],
    ['https://example.org', 403],
    ['https://evil.example.net', 403],
    ['https://a.example.org.evil.net', 403],
    [undefined, 200],
  ])('takes events of pages of %s: %s', async (origin, status) => {
    const answer = await inject({
      url: '/e/',
      headers: { ...JSON_TYPE, ...(origin && { origin }) },
      payload: JSON.stringify({
        api_key: OTHER_KEY,
        event: 'seen',
        distinct_id: 'ada',
      }),
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBe(
      status === 200 ? origin : undefined,
    );
  });
});

describe('keys', () => {
  it('of two projects in one request are rejected', async () => {
    const { body } = named();
    const answer = await client.post('/e/', [
      { ...body, properties: { token: PROJECT_KEY } },
      { ...body, properties: { token: OTHER_KEY } },
    ]);
    expect(answer.status).toBe(401);
  });

  it('are found at the start of bodies in every format', async () => {
    const { body } = named();
    const wrong = { api_key: 'phc_wrong', ...body };
    for (const [headers, payload] of [
      [TEXT_TYPE, base64(wrong)],
      [FORM_TYPE, `data=${encodeURIComponent(base64(wrong))}`],
    ] as const) {
      const answer = await inject({ url: '/e/', headers, payload });
      expect(answer.statusCode).toBe(401);
    }
  });
});

it.each([
  [TEXT_TYPE, 'no JSON at all!'],
  [FORM_TYPE, 'a=b'],
  [TEXT_TYPE, '"text"'],
  [JSON_TYPE, '{"api_key":'],
])('refuses what nobody can read: %j %s', async (headers, payload) => {
  const answer = await inject({ url: '/e/', headers, payload });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ type: 'validation_error' });
});

it('rejects a URL with repeated parameters', async () => {
  const { event, body } = named();
  const data = encodeURIComponent(JSON.stringify(body));
  for (const query of [
    `data=${data}&data=${data}&token=${PROJECT_KEY}`,
    `data=${data}&token=${PROJECT_KEY}&compression=1&compression=2`,
    `data=${data}&token=${PROJECT_KEY}&token=${PROJECT_KEY}`,
  ]) {
    const answer = await inject({ method: 'GET', url: `/e/?${query}` });
    expect([query, answer.statusCode < 500]).toEqual([query, true]);
    expect(answer.statusCode).not.toBe(200);
  }
  expect(await idsOf(event)).toEqual([]);
});

it('corrects timestamps by the clock in the body or in the URL', async () => {
  const asked = Date.now();
  const hourAgo = asked - 3_600_000;
  const { event, body } = named();
  const timestamp = new Date(hourAgo - 60_000).toISOString();
  const single = { api_key: PROJECT_KEY, ...body, timestamp };
  await client.post('/e/', { ...single, sent_at: new Date(hourAgo) });
  await client.post(`/e/?_=${hourAgo}`, single);
  await client.post('/e/', { api_key: PROJECT_KEY, ...body, offset: 60_000 });
  const { body: answer } = await client.query({ select: ['timestamp'], event });
  for (const [time] of answer.results) {
    const answered = Date.now();
    const age = answered - Date.parse(time);
    expect(age).toBeGreaterThanOrEqual(60_000);
    expect(age).toBeLessThanOrEqual(60_000 + answered - asked);
  }
});
