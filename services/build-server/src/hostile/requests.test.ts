import fc from 'fast-check';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import type { Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  basic,
  startBuildServer,
  type TestServer,
  TRIGGER_TOKEN,
} from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';

/** Raised by hand or by a nightly run; each takes a millisecond or two. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 200);

/** Without halves of surrogate pairs, which no URL can contain. */
const wellFormed = fc.string({ unit: 'binary' });
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    'hello',
    'lastBuild',
    '..',
    '../../etc/passwd',
    '%2e%2e%2f',
    '.git/config',
    "'; DROP TABLE builds; --",
    '9'.repeat(400),
  ),
);
const anything = fc.oneof(text, fc.jsonValue({ maxDepth: 4 }));
const parameters = fc.oneof(
  fc.record(
    {
      parameter: fc.oneof(
        fc.array(
          fc.oneof(
            fc.record(
              {
                name: fc.oneof(fc.constant('BRANCH'), anything),
                value: anything,
              },
              { requiredKeys: [] },
            ),
            anything,
          ),
          { maxLength: 4 },
        ),
        anything,
      ),
    },
    { requiredKeys: [] },
  ),
  anything,
);
const push = fc.oneof(
  fc.record(
    {
      repository: anything,
      ref: fc.oneof(fc.constant('refs/heads/main'), anything),
      before: anything,
      after: anything,
      deleted: anything,
      commits: fc.oneof(fc.array(anything, { maxLength: 3 }), anything),
    },
    { requiredKeys: [] },
  ),
  anything,
);

describe.each(testDatabaseClients())('on %s', databaseClient => {
  let server: TestServer;
  let service: Service;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    const opened = await openTestDatabase(databaseClient, buildServer);
    dispose = opened.dispose;
    // Nothing runs: the test is about what is accepted.
    server = await startBuildServer({
      database: opened.database,
      config: { executors: 0 },
    });
    service = server.service;
  });

  afterAll(async () => {
    await server.stop();
    await dispose();
  });

  async function expectDecent(request: {
    method: 'GET' | 'POST';
    url: string;
    payload?: string;
    headers?: Record<string, string>;
  }): Promise<void> {
    const { statusCode, body } = await service.app.inject({
      ...request,
      headers: {
        authorization: basic('dev', TRIGGER_TOKEN),
        ...request.headers,
      },
    });
    expect([200, 201, 204, 302, 400, 401, 404, 405, 413]).toContain(statusCode);
    if (statusCode >= 400) {
      expect(JSON.parse(body)).toEqual({ message: expect.any(String) });
    }
  }

  const json = { 'content-type': 'application/json' };

  // eslint-disable-next-line jest/expect-expect -- every answer is looked at by expectDecent
  it(
    'answers any body decently',
    async () => {
      await fc.assert(
        fc.asyncProperty(parameters, push, async (body, payload) => {
          for (const job of ['hello', 'hello-parameters']) {
            await expectDecent({
              method: 'POST',
              url: `/job/${job}/buildWithParameters`,
              headers: json,
              payload: JSON.stringify(body) ?? '',
            });
          }
          await expectDecent({
            method: 'POST',
            url: '/generic-webhook-trigger/invoke?token=test-webhook-token',
            headers: json,
            payload: JSON.stringify(payload) ?? '',
          });
        }),
        { numRuns: RUNS },
      );
    },
    patient(RUNS * 200 + 30_000),
  );

  // eslint-disable-next-line jest/expect-expect -- every answer is looked at by expectDecent
  it(
    'answers any form, query, header and path decently',
    async () => {
      await fc.assert(
        fc.asyncProperty(wellFormed, wellFormed, async (one, other) => {
          const name = encodeURIComponent(one);
          const value = encodeURIComponent(other);
          await expectDecent({
            method: 'POST',
            url: `/job/hello-parameters/build?${name}=${value}&delay=${value}`,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            payload: `BRANCH=${value}&${one}=${other}`,
          });
          for (const url of [
            `/job/${name}/${value}/api/json`,
            `/job/${name}/api/json`,
            `/job/hello/${value}/logText/progressiveText?start=${name}`,
            `/job/hello/${value}/consoleText`,
            `/queue/item/${value}/api/json`,
          ]) {
            await expectDecent({ method: 'GET', url });
          }
          await expectDecent({
            method: 'POST',
            url: `/job/${name}/${value}/stop`,
          });
        }),
        { numRuns: RUNS },
      );
    },
    patient(RUNS * 400 + 30_000),
  );
});
