import fc from 'fast-check';
import type { Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { KEY, startSpaceMetrics } from './__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from './service.ts';

/** Number of runs; increased manually or nightly. Each takes a millisecond or two. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 300);

let service: Service;
let dispose: () => Promise<void>;

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    "'; DROP TABLE people; --",
    '9'.repeat(400),
    '2026-11-20',
    '9999-12-31T23:59:59Z',
    '-271821-04-20',
    'all',
    '*',
    '~',
  ),
);
const anything = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, 5, 100, 2 ** 31, 2 ** 53, null, true, [], {}),
  fc.jsonValue({ maxDepth: 4 }),
);
const score = fc.oneof(fc.integer({ min: 0, max: 100 }), anything);

/** Generates objects with these fields, any of which may be missing, and arbitrary other values. */
function bodyOf(fields: Record<string, fc.Arbitrary<unknown>>) {
  return fc.oneof(fc.record(fields, { requiredKeys: [] }), anything);
}

const origin = {
  user_id: fc.oneof(text, anything),
  team: fc.oneof(text, anything),
  timestamp: fc.oneof(text, fc.constant('2026-01-01T00:00:00Z'), anything),
};

const bodies: Record<string, fc.Arbitrary<unknown>> = {
  '/api/v1/surveys/pulse/submit': bodyOf({
    ...origin,
    responses: bodyOf({
      overall_satisfaction: fc.oneof(fc.integer({ min: 1, max: 5 }), anything),
      productivity_this_week: fc.oneof(
        fc.integer({ min: 1, max: 5 }),
        anything,
      ),
      blockers: fc.oneof(text, anything),
      wins: fc.oneof(text, anything),
      recommend: anything,
    }),
  }),
  '/api/v1/friction-log/submit': bodyOf({
    ...origin,
    category: fc.oneof(text, anything),
    description: fc.oneof(text, anything),
    severity: fc.oneof(fc.constant('low'), anything),
    time_lost_minutes: fc.oneof(fc.nat(), anything),
  }),
  '/api/v1/cognitive-load/submit': bodyOf({
    ...origin,
    task: fc.oneof(text, anything),
    scores: bodyOf({
      mental_demand: score,
      physical_demand: score,
      temporal_demand: score,
      performance: score,
      effort: score,
      frustration: score,
    }),
  }),
  '/api/v1/activity/events': bodyOf({
    source: fc.oneof(text, anything),
    events: fc.oneof(
      fc.array(
        bodyOf({
          ...origin,
          id: fc.oneof(text, anything),
          kind: fc.oneof(fc.constantFrom('commit', 'build'), anything),
          count: fc.oneof(fc.nat(), anything),
          result: fc.oneof(fc.constant('SUCCESS'), anything),
        }),
        { maxLength: 5 },
      ),
      anything,
    ),
  }),
  '/api/v1/activity/chat': bodyOf({
    source: anything,
    counts: fc.array(
      bodyOf({
        ...origin,
        id: fc.oneof(text, anything),
        messages: fc.oneof(fc.nat(), anything),
        people: anything,
      }),
      { maxLength: 5 },
    ),
  }),
};

function expectDecent(
  response: { statusCode: number; body: string },
  statuses = [200, 201, 400, 404, 413],
): void {
  const { statusCode, body } = response;
  expect(statuses).toContain(statusCode);
  if (statusCode >= 400) {
    expect(JSON.parse(body)).toMatchObject({
      error: { code: expect.any(String), message: expect.any(String) },
      status: statusCode,
      timestamp: expect.any(String),
    });
  }
}

describe.each(testDatabaseClients())('on %s', databaseClient => {
  beforeAll(async () => {
    const opened = await openTestDatabase(databaseClient, spaceMetrics);
    dispose = opened.dispose;
    service = await startSpaceMetrics({
      database: opened.database,
      // On a busy machine, some of so many requests would otherwise be rejected due to overload.
      config: { limits: { eventLoopDelay: 600_000 } },
    });
  });

  afterAll(async () => {
    await service.stop();
    await dispose();
  });

  it.each(Object.keys(bodies))(
    '%s handles any body',
    async url => {
      await fc.assert(
        fc.asyncProperty(bodies[url], async body => {
          expectDecent(
            await service.app.inject({
              method: 'POST',
              url,
              headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
              payload: JSON.stringify(body) ?? '',
            }),
          );
        }),
        { numRuns: RUNS },
      );
    },
    RUNS * 400 + 120_000,
  );

  it.each([
    '/api/v1/metrics/space',
    '/api/v1/metrics/space/satisfaction',
    '/api/v1/friction-log/top',
    '/api/v1/surveys/pulse/reminder',
  ])(
    '%s handles any query',
    async url => {
      const query = fc.record(
        {
          team: text,
          start_date: text,
          end_date: text,
          granularity: fc.oneof(fc.constantFrom('daily', 'monthly'), text),
          limit: text,
          user_id: text,
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(query, async parameters => {
          expectDecent(
            await service.app.inject({
              url,
              headers: { 'x-api-key': KEY },
              query: parameters as Record<string, string>,
            }),
          );
        }),
        { numRuns: RUNS },
      );
    },
    RUNS * 400 + 120_000,
  );

  it(
    'handles any id of a person',
    async () => {
      await fc.assert(
        fc.asyncProperty(text, async id => {
          const url = `/api/v1/people/${encodeURIComponent(
            id.replace(/\p{Surrogate}/gu, '?'),
          )}`;
          const headers = { 'x-api-key': KEY };
          // A key may not read anyone's data, whatever the user id.
          expectDecent(
            await service.app.inject({ url, headers }),
            [403, 400, 404],
          );
          expectDecent(
            await service.app.inject({ method: 'DELETE', url, headers }),
          );
        }),
        { numRuns: RUNS },
      );
    },
    RUNS * 400 + 120_000,
  );
});
