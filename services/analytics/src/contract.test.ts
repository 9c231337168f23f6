import { gzipSync } from 'node:zlib';
import type { Service } from '@slipway/service-kit';
import {
  API_TOKEN,
  clientOf,
  OTHER_KEY,
  OTHER_TOKEN,
  PROJECT_KEY,
  startAnalytics,
  testEngines,
} from './__testUtils__/startAnalytics.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

const event = { event: 'signed up', distinct_id: 'ada' };

describe.each(testEngines)('the contract on %s', engine => {
  let service: Service;
  let client: ReturnType<typeof clientOf>;
  let now = NOW;

  beforeEach(async () => {
    now = NOW;
    service = await startAnalytics({ engine, now: () => now });
    client = clientOf(service);
  });

  afterEach(() => service.stop());

  it('keeps an event and answers with it at once', async () => {
    const captured = await client.capture({
      ...event,
      properties: { plan: 'pro', seats: 3, nested: { a: [1] } },
      timestamp: '2026-11-21T09:00:00+00:00',
    });
    expect(captured).toMatchObject({ status: 200, body: { status: 1 } });
    const { status, body } = await client.query({
      select: [
        '*',
        'event',
        'properties.plan',
        'properties.seats',
        'timestamp',
      ],
      event: 'signed up',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      columns: [
        '*',
        'event',
        'properties.plan',
        'properties.seats',
        'timestamp',
      ],
      types: [
        'JSON',
        'String',
        'Nullable(String)',
        'Nullable(String)',
        "DateTime64(3, 'UTC')",
      ],
      results: [
        [
          {
            uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
            event: 'signed up',
            distinct_id: 'ada',
            properties: { plan: 'pro', seats: 3, nested: { a: [1] } },
            timestamp: '2026-11-21T09:00:00.000Z',
            created_at: '2026-11-21T10:00:00.000Z',
          },
          'signed up',
          'pro',
          '3',
          '2026-11-21T09:00:00.000Z',
        ],
      ],
      hasMore: false,
      limit: 100,
      offset: 0,
    });
  });

  it('shows both ends of a period as exclusive', async () => {
    const at = (timestamp: string) => ({ ...event, timestamp });
    await client.batch([
      at('2026-11-19T00:00:00Z'),
      at('2026-11-19T00:00:00.001Z'),
      at('2026-11-19T23:59:59.999Z'),
      at('2026-11-20T00:00:00Z'),
      at('2026-11-20T12:00:00Z'),
      at('2026-11-21T09:59:59Z'),
    ]);
    const times = async (period: object) => {
      const { body } = await client.query({
        select: ['timestamp'],
        orderBy: ['timestamp'],
        ...period,
      });
      return body.results.map(([time]: [string]) => time.slice(8, 23));
    };
    expect(
      await times({
        after: '2026-11-19T00:00:00Z',
        before: '2026-11-20T00:00:00Z',
      }),
    ).toEqual(['19T00:00:00.001', '19T23:59:59.999']);
    expect(await times({ after: '2026-11-19', before: '2026-11-20' })).toEqual([
      '19T00:00:00.001',
      '19T23:59:59.999',
      '20T00:00:00.000',
      '20T12:00:00.000',
    ]);
    expect(await times({})).toEqual(['20T12:00:00.000', '21T09:59:59.000']);
    expect(await times({ after: '-2h' })).toEqual(['21T09:59:59.000']);
    expect(await times({ after: 'all' })).toHaveLength(6);
    const turned = await client.query({
      after: '2026-11-20',
      before: '2026-11-18',
    });
    expect(turned).toMatchObject({
      status: 400,
      body: { type: 'validation_error', attr: 'query.after' },
    });
  });

  it('pages without gaps and says whether there is more', async () => {
    await client.batch(
      Array.from({ length: 5 }, (_, number) => ({
        ...event,
        distinct_id: `user-${number}`,
      })),
    );
    const pages = [];
    for (const offset of [0, 2, 4]) {
      const { body } = await client.query({
        select: ['distinct_id'],
        orderBy: ['event'],
        limit: 2,
        offset,
      });
      pages.push([body.results.length, body.hasMore, body.limit, body.offset]);
    }
    expect(pages).toEqual([
      [2, true, 2, 0],
      [2, true, 2, 2],
      [1, false, 2, 4],
    ]);
    expect((await client.query({ limit: 50_001 })).status).toBe(400);
    expect((await client.query({ limit: 0 })).status).toBe(400);
  });

  it('counts, adds and groups', async () => {
    const bought = (user: string, price: unknown) => ({
      event: 'bought',
      distinct_id: user,
      properties: { price },
    });
    await client.batch([
      bought('ada', 10),
      bought('ada', 2.5),
      bought('grace', '99'),
      bought('grace', null),
      event,
    ]);
    const { body } = await client.query({
      select: [
        'event',
        'count()',
        'count(distinct distinct_id) -- people',
        'sum(properties.price) as total',
        'avg(properties.price)',
        'max(properties.price)',
        'toDate(timestamp)',
      ],
    });
    expect(body.columns.slice(2, 4)).toEqual(['people', 'total']);
    expect(body.results).toEqual([
      ['bought', 4, 2, 12.5, 6.25, 10, '2026-11-21'],
      ['signed up', 1, 1, null, null, null, '2026-11-21'],
    ]);
    const having = await client.query({
      select: ['event', 'count()'],
      where: ["count() > 1 and event != 'x'", "distinct_id like 'a%'"],
    });
    expect(having.body.results).toEqual([['bought', 2]]);
  });

  describe('filters of properties', () => {
    const people: Record<string, object> = {
      ada: { plan: 'Pro', seats: 3, 'a b': "it's", trial: false },
      grace: { plan: 'free', seats: 12.5, note: '100%_\\' },
      linus: { seats: '3', plan: null },
    };

    it.each([
      [{ key: 'plan', value: 'Pro' }, ['ada']],
      [{ key: 'plan', value: 'pro', operator: 'exact', type: 'event' }, []],
      [{ key: 'plan', value: ['Pro', 'free'] }, ['ada', 'grace']],
      [{ key: 'seats', value: 3 }, ['ada', 'linus']],
      [{ key: 'trial', value: false }, ['ada']],
      [{ key: 'a b', value: "it's" }, ['ada']],
      [{ key: "x' OR 1=1 --", value: "' OR 1=1 --" }, []],
      [{ key: 'plan', value: 'Pro', operator: 'is_not' }, ['grace', 'linus']],
      [{ key: 'plan', value: ['Pro', 'free'], operator: 'is_not' }, ['linus']],
      [{ key: 'plan', value: 'PR', operator: 'icontains' }, ['ada']],
      [{ key: 'note', value: '%_\\', operator: 'icontains' }, ['grace']],
      [{ key: 'plan', value: '_', operator: 'icontains' }, []],
      [
        { key: 'plan', value: 'pr', operator: 'not_icontains' },
        ['grace', 'linus'],
      ],
      [{ key: 'plan', operator: 'is_set' }, ['ada', 'grace']],
      [{ key: 'plan', operator: 'is_not_set', value: null }, ['linus']],
      [{ key: 'seats', value: 3, operator: 'gt' }, ['grace']],
      [{ key: 'seats', value: '12.5', operator: 'lt' }, ['ada']],
      [{ key: 'seats', value: 3, operator: 'gte' }, ['ada', 'grace']],
    ])('finds by %j', async (filter, expected) => {
      await client.batch(
        Object.entries(people).map(([distinct_id, properties]) => ({
          ...event,
          distinct_id,
          properties,
        })),
      );
      const { status, body } = await client.query({
        select: ['distinct_id'],
        properties: [filter],
      });
      expect(status).toBe(200);
      expect(body.results.flat()).toEqual(expected);
    });

    it('must all be met, beside what else is asked', async () => {
      await client.batch(
        Object.entries(people).map(([distinct_id, properties]) => ({
          ...event,
          distinct_id,
          properties,
        })),
      );
      const { body } = await client.query({
        select: ['count()'],
        where: ["distinct_id != 'ada'"],
        properties: [
          { key: 'seats', operator: 'is_set' },
          { key: 'plan', operator: 'is_not_set' },
        ],
      });
      expect(body.results).toEqual([[1]]);
    });

    it.each([
      [{ key: 'plan', value: 'x', type: 'person' }, 'type', 'event'],
      [{ key: 'plan', value: 'x', operator: 'regex' }, 'operator', 'exact'],
      [{ value: 'x' }, 'key', 'required'],
      [{ key: 'plan' }, 'value', 'required'],
      [{ key: 'plan', value: [] }, 'value', ''],
      [{ key: 'plan', value: { a: 1 } }, 'value', ''],
      [{ key: 'seats', value: 'many', operator: 'gt' }, 'value', 'one number'],
    ])('refuses %j for its %s', async (filter, name, wording) => {
      const { status, body } = await client.query({ properties: [filter] });
      expect([status, body.attr]).toEqual([400, `query.properties.0.${name}`]);
      expect(body.detail).toContain(wording);
    });

    it('must be met whether fixed or not', async () => {
      await client.batch(
        Object.entries(people).map(([distinct_id, properties]) => ({
          ...event,
          distinct_id,
          properties,
        })),
      );
      const { body } = await client.query({
        select: ['distinct_id'],
        properties: [{ key: 'seats', value: 3 }],
        fixedProperties: [{ key: 'plan', operator: 'is_set' }],
      });
      expect(body.results).toEqual([['ada']]);
      const wrong = await client.query({ fixedProperties: [{ value: 1 }] });
      expect(wrong.body.attr).toBe('query.fixedProperties.0.key');
    });

    it('refuses groups of filters', async () => {
      const properties = { type: 'AND', values: [] };
      const { status, body } = await client.query({ properties });
      expect([status, body.attr]).toEqual([400, 'query.properties']);
    });
  });

  it('takes null for what a question leaves out', async () => {
    await client.capture({ ...event, properties: null, timestamp: null });
    const { status, body } = await client.query({
      select: null,
      event: null,
      events: null,
      after: null,
      before: null,
      where: null,
      properties: null,
      fixedProperties: null,
      orderBy: null,
      limit: null,
      offset: null,
      personId: null,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ columns: ['*'], limit: 100, offset: 0 });
    expect(body.results).toHaveLength(1);
  });

  it('asks for every event where it names an empty one', async () => {
    await client.capture(event);
    const { body } = await client.query({ select: ['event'], event: '' });
    expect(body.results).toHaveLength(1);
  });

  it.each([{ actionId: 5 }, { personId: 'a-1' }, { source: { kind: 'x' } }])(
    'refuses %j, without which the answer would be another',
    async more => {
      const [name] = Object.keys(more);
      const { status, body } = await client.query({ ...more });
      expect([status, body]).toEqual([
        400,
        {
          type: 'validation_error',
          code: 'invalid_input',
          detail: `query.${name} is not supported`,
          attr: `query.${name}`,
        },
      ]);
    },
  );

  it('keeps once what is sent twice under one uuid', async () => {
    const uuid = '01a1fd90-4447-707d-b85d-d570e463c97d';
    await client.batch([
      { ...event, uuid },
      { ...event, uuid: uuid.toUpperCase() },
    ]);
    expect(await client.count()).toBe(1);
    now += 26 * 3_600_000;
    await client.capture({ ...event, uuid });
    expect(await client.count()).toBe(1);
    await client.capture({ ...event, uuid }, OTHER_KEY);
    expect(await client.count(OTHER_TOKEN)).toBe(1);
  });

  it('keeps projects apart', async () => {
    await client.capture(event);
    expect(await client.count(OTHER_TOKEN)).toBe(0);
    expect(await client.count()).toBe(1);
  });
});

describe('credentials and limits', () => {
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeEach(async () => {
    service = await startAnalytics({
      config: { capture: { eventsPerMinute: 10 } },
    });
    client = clientOf(service);
  });

  afterEach(() => service.stop());

  it('takes the key in the body or in X-Api-Key', async () => {
    for (const url of ['/api/capture', '/api/batch', '/batch/', '/batch']) {
      const body = url.endsWith('capture') ? event : { batch: [event] };
      const header = { 'x-api-key': PROJECT_KEY };
      expect((await client.post(url, body, header)).status).toBe(200);
      const missing = await client.post(url, body);
      expect(missing).toMatchObject({
        status: 401,
        body: {
          type: 'authentication_error',
          code: 'not_authenticated',
          attr: 'api_key',
        },
      });
      const wrong = await client.post(url, { ...body, api_key: 'phc_wrong' });
      expect(wrong).toMatchObject({
        status: 401,
        body: { code: 'authentication_failed' },
      });
    }
    // A token asks questions and sends nothing; a key the other way round.
    expect((await client.capture(event, API_TOKEN)).status).toBe(401);
    expect((await client.query({}, PROJECT_KEY)).status).toBe(401);
  });

  it('refuses a wrong key beside a good one', async () => {
    const wrong = { 'x-api-key': 'phc_wrong' };
    const body = { ...event, api_key: PROJECT_KEY };
    expect(await client.post('/api/capture', body, wrong)).toMatchObject({
      status: 401,
      body: { code: 'authentication_failed' },
    });
    const same = { 'x-api-key': PROJECT_KEY };
    expect((await client.post('/api/capture', body, same)).status).toBe(200);
    expect(await client.count()).toBe(1);
  });

  it.each(['[]', 'null', '"text"'])('refuses the body %s', async body => {
    for (const url of ['/api/capture', '/api/batch', '/batch/']) {
      expect(await client.post(url, body)).toMatchObject({
        status: 400,
        body: { type: 'validation_error' },
      });
    }
  });

  it('takes a slash at the end', async () => {
    const body = { ...event, api_key: PROJECT_KEY };
    expect((await client.post('/api/capture/', body)).status).toBe(200);
    const answer = await client.post(
      '/api/projects/shop/query/',
      { query: { kind: 'EventsQuery', select: ['event'] } },
      { authorization: `Bearer ${API_TOKEN}` },
    );
    expect(answer.body.results).toEqual([['signed up']]);
  });

  it('asks for the key before it looks at the event', async () => {
    const both = await client.post('/api/capture', { api_key: 'x', event: 1 });
    expect(both.status).toBe(401);
    const anonymous = await client.post('/api/query', {});
    expect(anonymous).toMatchObject({
      status: 401,
      body: { code: 'not_authenticated' },
    });
  });

  it('counts events and stores nothing of what is too many', async () => {
    const many = (count: number) => Array.from({ length: count }, () => event);
    const first = await client.batch(many(8));
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '2',
    });
    const over = await client.batch(many(3));
    expect(over).toMatchObject({
      status: 429,
      body: {
        type: 'throttled_error',
        code: 'throttled',
        detail: expect.stringMatching(/Expected available in \d+ seconds/),
        attr: null,
      },
    });
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    const never = await client.batch(many(11));
    expect(never).toMatchObject({
      status: 429,
      body: {
        type: 'throttled_error',
        detail: expect.stringMatching(/at most 10 events.*Split it/),
        attr: 'batch',
      },
    });
    // What fits still does: a refusal takes nothing.
    expect((await client.batch(many(2))).status).toBe(200);
    expect((await client.capture(event)).status).toBe(429);
    expect((await client.capture(event, OTHER_KEY)).status).toBe(200);
    expect(await client.count()).toBe(10);
  });

  it('says on every answer what is left', async () => {
    const refused = await client.post('/api/capture', '{');
    expect(refused).toMatchObject({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'parse_error',
        attr: null,
      },
    });
    for (const { headers } of [
      refused,
      await client.capture({}),
      await client.capture(event, 'phc_wrong'),
      await client.query({}),
    ]) {
      expect(headers).toMatchObject({
        'x-ratelimit-limit': expect.any(String),
        'x-ratelimit-remaining': expect.any(String),
        'x-ratelimit-reset': expect.any(String),
      });
    }
  });

  it.each([
    [{ distinct_id: 'ada' }, 'event', 'required'],
    [{ event: 'a' }, 'distinct_id', 'required'],
    [{ event: '', distinct_id: 'ada' }, 'event', 'invalid_input'],
    [{ event: 5, distinct_id: 'ada' }, 'event', 'invalid_input'],
    [{ ...event, properties: [] }, 'properties', 'invalid_input'],
    [{ ...event, timestamp: 'yesterday' }, 'timestamp', 'invalid_input'],
    [{ ...event, uuid: 'x' }, 'uuid', 'invalid_input'],
  ])('refuses %j for its %s', async (body, attr, code) => {
    const answer = await client.capture(body);
    expect(answer).toMatchObject({
      status: 400,
      body: { type: 'validation_error', code, attr },
    });
    const batch = await client.batch([event, body]);
    expect(batch).toMatchObject({ status: 400, body: { code } });
    expect(batch.body.attr).toBe(`batch.1.${attr}`);
    expect(await client.count()).toBe(0);
  });

  it('answers other methods, paths and media types in its own words', async () => {
    const wrongMethod = await service.app.inject('/api/capture');
    expect(wrongMethod.statusCode).toBe(405);
    expect(wrongMethod.headers.allow).toBe('POST');
    expect(wrongMethod.json()).toMatchObject({ code: 'method_not_allowed' });
    expect((await client.post('/api/nothing', {})).body).toMatchObject({
      type: 'invalid_request',
      code: 'not_found',
    });
    const text = await client.post('/api/capture', 'a=b', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(text.status).toBe(400);
    expect(
      (
        await client.post(
          '/api/batch',
          { batch: [] },
          { 'x-api-key': PROJECT_KEY },
        )
      ).status,
    ).toBe(400);
  });

  it('describes itself', async () => {
    const { paths } = (await service.app.inject('/openapi.json')).json();
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/api/capture', '/api/batch', '/api/query']),
    );
    expect((await service.app.inject('/health')).json()).toMatchObject({
      status: 'ok',
      engine: 'sqlite',
    });
    await client.capture(event);
    const metrics = (await service.app.inject('/metrics')).body;
    expect(metrics).toContain('analytics_events_total{outcome="kept"} 1');
  });
});

describe('bodies', () => {
  let service: Service;
  let client: ReturnType<typeof clientOf>;
  const gzip = { 'content-encoding': 'gzip' };

  beforeAll(async () => {
    service = await startAnalytics({
      config: { capture: { eventsPerMinute: 1_000_000 } },
    });
    client = clientOf(service);
  });

  afterAll(() => service.stop());

  it('unpacks gzip, said or not', async () => {
    const packed = gzipSync(
      JSON.stringify({ api_key: PROJECT_KEY, batch: [event] }),
    );
    expect((await client.post('/api/batch', packed, gzip)).status).toBe(200);
    expect((await client.post('/batch/', packed)).status).toBe(200);
    const plain = { 'content-type': 'text/plain' };
    expect((await client.post('/batch/', packed, plain)).status).toBe(200);
    expect((await client.post('/api/batch', 'no gzip', gzip)).status).toBe(400);
    const other = { 'content-encoding': 'br' };
    expect((await client.post('/api/batch', packed, other)).status).toBe(400);
  });

  it('refuses what unpacks to more than may be sent', async () => {
    const bomb = gzipSync(Buffer.alloc(21 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(100_000);
    expect((await client.post('/api/batch', bomb, gzip)).status).toBe(413);
    expect((await client.post('/batch/', bomb, gzip)).status).toBe(413);
    const large = { ...event, properties: { text: 'x'.repeat(1024 * 1024) } };
    const answer = await client.capture(large);
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
    expect((await client.batch([large, large])).status).toBe(200);
  });

  it('survives bodies made to harm', async () => {
    const before = await client.count();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const hostile = [
      `{"api_key":"${PROJECT_KEY}","event":"a","distinct_id":"b","properties":{"x":${deep}}}`,
      `{"api_key":"${PROJECT_KEY}","event":"a","distinct_id":"b","properties":{"__proto__":{"polluted":true}}}`,
      `{"api_key":"${PROJECT_KEY}","event":"a\\u0000b","distinct_id":"b"}`,
      `{"api_key":"${PROJECT_KEY}","event":"a\\ud800","distinct_id":"b"}`,
      '[]',
      'null',
      '"text"',
    ];
    for (const body of hostile) {
      const { status } = await client.post('/api/capture', body);
      expect([400, 401]).toContain(status);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(await client.count()).toBe(before);
    // An SDK would lose all of its batch: what is no text is repaired.
    const repaired = await client.post(
      '/batch/',
      `{"api_key":"${PROJECT_KEY}","batch":[{"event":"odd","distinct_id":7,"timestamp":"x","uuid":1,"properties":{"t":"a\\u0000\\ud800"}}]}`,
    );
    expect(repaired.status).toBe(200);
    const { body } = await client.query({
      select: ['distinct_id', 'properties.t'],
      event: 'odd',
    });
    expect(body.results).toEqual([['7', 'a\u{fffd}\u{fffd}']]);
  });
});
