import fc from 'fast-check';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import type { Service } from '@slipway/service-kit';
import {
  type FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  KEY,
  PNG,
  startFeedback,
  startPortal,
} from './__testUtils__/startFeedback.ts';
import { feedbackService } from './service.ts';

/** Increased manually or by a nightly run; each takes a few milliseconds. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 150);

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    "'; DROP TABLE feedback; --",
    '%',
    '9'.repeat(400),
    '2026-11-20',
    '2016-12-31T23:59:60Z',
    '9999-12-31T23:59:59Z',
    '-271821-04-20',
  ),
);
const anything = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, 5, 2 ** 53, null, true, [], {}),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Generates bodies of the right shape with invalid values, and the other way round. */
function bodyOf(fields: Record<string, fc.Arbitrary<unknown>>) {
  return fc.oneof(fc.record(fields, { requiredKeys: [] }), anything);
}

const bodies: Record<string, fc.Arbitrary<unknown>> = {
  '/api/v1/feedback': bodyOf({
    rating: fc.oneof(fc.integer({ min: 1, max: 5 }), anything),
    category: fc.oneof(fc.constantFrom('UI/UX', 'Other'), anything),
    message: fc.oneof(text, anything),
    context: bodyOf({ page: anything, component: anything, timestamp: text }),
    user: bodyOf({ name: anything, email: text, anonymous: anything }),
    screenshot: fc.oneof(
      text,
      fc.uint8Array().map(bytes => Buffer.from(bytes).toString('base64')),
      // The start of an image, followed by anything.
      fc.nat({ max: 90 }).map(end => PNG.slice(0, end)),
      anything,
    ),
  }),
  '/api/v1/feedback/fb_none/replies': bodyOf({
    message: fc.oneof(text, anything),
    internal: fc.oneof(fc.boolean(), anything),
  }),
  '/api/v1/bot/messages': bodyOf({
    text: fc.oneof(text, anything),
    event_id: fc.oneof(text, anything),
    user: bodyOf({ id: text, name: anything }),
  }),
  '/api/v1/webhooks': bodyOf({
    url: fc.oneof(fc.webUrl(), text, anything),
    events: fc.oneof(fc.array(text), anything),
    secret: anything,
  }),
};

describe.each(testDatabaseClients())('on %s', databaseClient => {
  let portal: FakePortal;
  let service: Service;
  let dispose: () => Promise<void>;
  let headers: Record<string, string>;

  beforeAll(async () => {
    portal = await startPortal();
    const opened = await openTestDatabase(databaseClient, feedbackService);
    dispose = opened.dispose;
    service = await startFeedback(portal, { database: opened.database });
    headers = { cookie: await portal.cookie('user:default/ada') };
  });

  afterAll(async () => {
    await service.stop();
    await dispose();
    await portal.stop();
  });

  function expectDecent(response: { statusCode: number; body: string }): void {
    const { statusCode, body } = response;
    expect([200, 201, 400, 404, 413]).toContain(statusCode);
    if (statusCode >= 400) {
      expect(JSON.parse(body)).toMatchObject({
        error: { code: expect.any(String), message: expect.any(String) },
        status: statusCode,
        timestamp: expect.any(String),
      });
    }
  }

  it.each(Object.keys(bodies))(
    '%s handles any body',
    async url => {
      await fc.assert(
        fc.asyncProperty(bodies[url], async body => {
          expectDecent(
            await service.app.inject({
              method: 'POST',
              url,
              headers: { ...headers, 'content-type': 'application/json' },
              payload: JSON.stringify(body) ?? '',
            }),
          );
        }),
        { numRuns: RUNS },
      );
    },
    patient(RUNS * 200 + 30_000),
  );

  it.each(['/api/v1/feedback', '/api/v1/feedback/stats', '/api/v1/issues'])(
    '%s handles any query',
    async url => {
      const query = fc.record(
        {
          status: fc.oneof(fc.constant('new'), text),
          category: text,
          rating: text,
          sentiment: text,
          q: text,
          start_date: text,
          end_date: text,
          page: fc.oneof(fc.constant('1000000'), text),
          per_page: text,
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(query, async parameters => {
          expectDecent(
            await service.app.inject({ url, headers, query: parameters }),
          );
        }),
        { numRuns: RUNS },
      );
    },
    patient(RUNS * 200 + 30_000),
  );

  it('rejects endless nesting', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/api/v1/bot/messages',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      payload: `{"text":${'['.repeat(100_000)}`,
    });
    expect(answer.statusCode).toBe(400);
  });
});
