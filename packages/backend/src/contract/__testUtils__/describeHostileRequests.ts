import fc from 'fast-check';
import { Answer, Ask, ContractPortal } from './ContractPortal';
import { expectLimitHeaders, expectRefusal } from './expectations';
import { TOKENS } from './tokens';

/** Number of requests per route; increased manually or by a nightly run. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 30);

/** Concurrent requests to one route. */
const WORKERS = 4;

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '%',
    '%E0%A4%A',
    '..',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    "'; DROP TABLE workspaces; --",
    '9'.repeat(400),
    '2026-11-20',
    '9999-12-31T23:59:59Z',
    '-271821-04-20',
    '*',
    '~',
  ),
);
const anything = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, 2 ** 53, null, true, [], {}),
  fc.jsonValue({ maxDepth: 4 }),
);

/**
 * Generates objects of the right shape with invalid values, text that is not JSON, and arbitrary
 * values.
 */
function bodyOf(fields: Record<string, fc.Arbitrary<unknown>>) {
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constantFrom('{', '[1,', '"\\ud800"', 'null') },
  );
}

/** Generates queries with the right names and invalid values, some repeated or with brackets. */
function queryOf(names: string[], values: fc.Arbitrary<string>) {
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: text },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...names.map(each => `${each}[a]`)),
    },
  );
  return fc.array(fc.tuple(name, values), { maxLength: 4 }).map(pairs => {
    const query = pairs.map(pair => pair.map(encode).join('=')).join('&');
    return query && `?${query}`;
  });
}

/**
 * Encodes a value for a URL; a lone surrogate, which a URL cannot contain, becomes a question mark.
 */
function encode(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '?'));
}

const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/json; charset=klingon',
      'multipart/form-data',
      'nonsense',
    ),
  },
);

const token = fc.oneof(
  { weight: 8, arbitrary: fc.constant(TOKENS.service) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<string | undefined>(
      undefined,
      TOKENS.reader,
      TOKENS.catalogOnly,
      'a.b.c',
    ),
  },
);

const date = fc.oneof(
  text,
  fc
    .date({ noInvalidDate: true, min: new Date('0001-01-01') })
    .map(each => each.toISOString()),
);
const pairs = fc.oneof(
  text,
  fc
    .array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom('kind', 'metadata.name', 'spec.type', 'relations.x'),
          text,
        ),
        text,
      ),
      { maxLength: 3 },
    )
    .map(each => each.map(pair => pair.join('=')).join(',')),
);
const target = fc.oneof(
  text,
  fc.webUrl(),
  fc.constantFrom('http://127.0.0.1:1/x.yaml', 'file:///etc/passwd'),
);

const routes: Record<string, fc.Arbitrary<{ path: string } & Ask>> = {
  'POST /ide-launcher/workspaces': fc.record({
    path: fc.constant('/ide-launcher/workspaces'),
    method: fc.constant('POST'),
    token,
    contentType,
    body: bodyOf({
      devfileUrl: fc.oneof(target, anything),
      name: fc.oneof(text, anything),
      namespace: fc.oneof(text, anything),
    }),
  }),
  'GET /ide-launcher/workspaces': fc.record({
    path: queryOf(['status'], fc.oneof(text, fc.constant('Running'))).map(
      query => `/ide-launcher/workspaces${query}`,
    ),
    token,
  }),
  'DELETE /ide-launcher/workspaces/{id}': fc.record({
    path: text
      // Clients resolve these before sending them.
      .filter(id => id !== '.' && id !== '..')
      .map(id => `/ide-launcher/workspaces/${encode(id)}`),
    method: fc.constant('DELETE'),
    token,
  }),
  'GET /delivery-lake/dora-metrics': fc.record({
    path: queryOf(
      ['project', 'team', 'startDate', 'endDate'],
      fc.oneof(date, text),
    ).map(query => `/delivery-lake/dora-metrics${query}`),
    token,
  }),
  'GET /delivery-lake/deployment-history': fc.record({
    path: queryOf(
      ['service', 'environment', 'limit'],
      fc.oneof(text, fc.integer().map(String), fc.constant('prod')),
    ).map(query => `/delivery-lake/deployment-history${query}`),
    token,
  }),
  'POST /catalog/locations': fc.record({
    path: fc.constantFrom('/catalog/locations', '/catalog/locations?dryRun=no'),
    method: fc.constant('POST'),
    token,
    contentType,
    body: bodyOf({
      type: fc.oneof(fc.constantFrom('url', 'file'), anything),
      target: fc.oneof(target, anything),
    }),
  }),
  'GET /catalog/entities': fc.record({
    path: queryOf(
      ['filter', 'fields', 'limit', 'offset', 'after', 'order'],
      fc.oneof(pairs, text, fc.integer().map(String)),
    ).map(query => `/catalog/entities${query}`),
    token,
  }),
};

function expectDecent(answer: Answer): void {
  expectLimitHeaders(answer);
  if (answer.status >= 300) {
    expect([400, 401, 403, 404, 405, 409, 413]).toContain(answer.status);
    expectRefusal(answer, answer.status);
  } else {
    expect([200, 201, 204]).toContain(answer.status);
  }
}

/**
 * Defines the tests that send invalid requests to every route.
 *
 * @param portal - returns a portal whose rate limits for services and anonymous callers are never
 *   reached.
 */
// eslint-disable-next-line jest/no-export -- limits.test.ts runs it.
export function describeHostileRequests(portal: () => ContractPortal): void {
  it.each(Object.entries(routes))(
    'handles any request to %s',
    async (_, request) => {
      const runs = Math.ceil(RUNS / WORKERS);
      const answersDecently = fc.asyncProperty(
        request,
        async ({ path, ...ask }) => {
          expectDecent(await portal().ask(path, ask));
        },
      );
      await Promise.all(
        Array.from({ length: WORKERS }, () =>
          fc.assert(answersDecently, { numRuns: runs }),
        ),
      );
    },
    120_000 + RUNS * 100,
  );
}
