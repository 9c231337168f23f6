import { RedisServer } from '@slipway/e2e/src/processes/RedisServer.ts';
import { Answer, ContractPortal } from './__testUtils__/ContractPortal';
import {
  expectLimitHeaders,
  expectRefusal,
} from './__testUtils__/expectations';
import { Issuer } from './__testUtils__/Issuer';
import { externalAccess, TOKENS } from './__testUtils__/tokens';

// Group A as a client meets it: two replicas of the back end, as processes, known
// through HTTP alone. They share their limits where there is a Redis.

const WORKSPACES = '/ide-launcher/workspaces';
const DORA = '/delivery-lake/dora-metrics';
const HISTORY = '/delivery-lake/deployment-history';
const LOCATIONS = '/catalog/locations';
const ENTITIES = '/catalog/entities';

const ROUTES = [
  { method: 'POST', path: WORKSPACES },
  { method: 'GET', path: WORKSPACES },
  { method: 'DELETE', path: `${WORKSPACES}/workspace-x` },
  { method: 'GET', path: DORA },
  { method: 'GET', path: HISTORY },
  { method: 'POST', path: LOCATIONS },
  { method: 'GET', path: ENTITIES },
];

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

const { service } = TOKENS;

let redis: RedisServer | undefined;
let issuer: Issuer;
let narrowIssuer: Issuer;
let portal: ContractPortal;
let replica: ContractPortal;

beforeAll(async () => {
  issuer = await Issuer.start();
  narrowIssuer = await Issuer.start();
  redis = RedisServer.isInstalled() ? await RedisServer.start() : undefined;
  const configuration = {
    backend_auth_externalAccess: [
      ...externalAccess,
      issuer.access,
      { ...narrowIssuer.access, accessRestrictions: [{ plugin: 'catalog' }] },
    ],
    ...(redis && {
      slipway_rateLimit_store: 'redis',
      slipway_rateLimit_redis: redis.url,
    }),
  };
  [portal, replica] = await Promise.all([
    ContractPortal.start(configuration),
    ContractPortal.start(configuration),
  ]);
});

afterAll(async () => {
  await Promise.all(
    [portal, replica, issuer, narrowIssuer].map(each => each?.stop()),
  );
  await redis?.stop();
});

describe.each(ROUTES)('$method $path', ({ method, path }) => {
  const body = method === 'POST' ? {} : undefined;

  it('wants a credential, and a valid one', async () => {
    const none = await portal.ask(path, { method, body });
    expectRefusal(none, 401);
    expect(expectLimitHeaders(none).limit).toBe(100);
    const wrong = await portal.ask(path, {
      method,
      body,
      token: 'no-such-token',
    });
    expectRefusal(wrong, 401);
    const notForUs = await issuer.token('builder', 'somebody-else');
    expectRefusal(
      await portal.ask(path, { method, body, token: notForUs }),
      401,
    );
  });

  it('takes the tokens of an issuer', async () => {
    const token = await issuer.token('builder');
    const answer = await portal.ask(path, { method, body, token });
    expect([200, 400, 404]).toContain(answer.status);
    expect(expectLimitHeaders(answer).limit).toBe(1_000);
  });

  it('refuses another method, and says which there are', async () => {
    const answer = await portal.ask(path, { method: 'PATCH', token: service });
    expectRefusal(answer, 405);
    expectLimitHeaders(answer);
    expect(answer.headers.get('allow')?.split(', ')).toContain(method);
  });
});

describe.each(ROUTES.filter(({ path }) => !path.startsWith('/catalog')))(
  '$method $path',
  ({ method, path }) => {
    it('refuses a token of another plugin', async () => {
      const answer = await portal.ask(path, {
        method,
        token: TOKENS.catalogOnly,
        body: method === 'POST' ? {} : undefined,
      });
      expect(expectRefusal(answer, 403)).toContain('restricted');
      expect(expectLimitHeaders(answer).limit).toBe(1_000);
    });
  },
);

describe.each(ROUTES.filter(({ method }) => method !== 'GET'))(
  '$method $path',
  ({ method, path }) => {
    it('is forbidden to a token that may only read', async () => {
      const body = method === 'POST' ? 'not JSON' : undefined;
      const answer = await portal.ask(path, {
        method,
        body,
        token: TOKENS.reader,
      });
      expectRefusal(answer, 403);
      expectLimitHeaders(answer);
    });
  },
);

it.each(ROUTES.filter(({ method }) => method === 'GET'))(
  'GET $path is open to a token that may only read',
  async ({ path }) => {
    const answer = await portal.ask(`${path}?service=shop`, {
      token: TOKENS.reader,
    });
    expect(answer.status).toBe(200);
  },
);

it('holds a token to the one permission that it has', async () => {
  const token = TOKENS.lister;
  expect((await portal.ask(WORKSPACES, { token })).status).toBe(200);
  const created = await portal.ask(WORKSPACES, {
    method: 'POST',
    token,
    body: {},
  });
  expectRefusal(created, 403);
  expectRefusal(await portal.ask(DORA, { token }), 403);
});

describe.each([WORKSPACES, LOCATIONS])('POST %s', path => {
  const post = (body: unknown, contentType?: string) =>
    portal.ask(path, { method: 'POST', token: service, body, contentType });

  it.each([
    ['malformed JSON', '{"a":', undefined],
    ['another media type', 'a=1', 'application/x-www-form-urlencoded'],
    ['no fields', {}, undefined],
    ['an array', [], undefined],
    ['null', 'null', undefined],
    ['an unknown character set', '{}', 'application/json; charset=klingon'],
  ])('refuses %s', async (_, body, contentType) => {
    const answer = await post(body, contentType);
    expectRefusal(answer, 400);
    expectLimitHeaders(answer);
  });

  it('refuses more than 1 MiB', async () => {
    const answer = await post(`"${'x'.repeat(1_048_576)}"`);
    expectRefusal(answer, 413);
    expectLimitHeaders(answer);
  });
});

describe('workspaces', () => {
  const create = (body: object, token: string = service) =>
    portal.ask(WORKSPACES, { method: 'POST', token, body });
  const devfileUrl = () => `${portal.forge}/devfile.yaml`;

  it('are created, listed and deleted', async () => {
    const created = await create({ devfileUrl: devfileUrl(), name: 'one' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      workspaceId: expect.stringMatching(/^workspace-/),
      name: 'one',
      status: 'Starting',
      ideUrl: expect.stringMatching(/^http/),
      devfile: { name: expect.any(String), version: expect.any(String) },
    });
    expectLimitHeaders(created);

    const twice = await create({ devfileUrl: devfileUrl(), name: 'one' });
    expectRefusal(twice, 409);

    const list = await portal.ask(WORKSPACES, { token: service });
    const { workspaces, total } = list.body as {
      workspaces: Array<Record<string, unknown>>;
      total: number;
    };
    expect(total).toBe(1);
    expect(workspaces[0]).toMatchObject({
      name: 'one',
      createdAt: expect.stringMatching(TIMESTAMP),
      lastUsed: expect.stringMatching(TIMESTAMP),
    });

    const target = `${WORKSPACES}/${workspaces[0].workspaceId}`;
    const other = await issuer.token('somebody-else');
    expectRefusal(
      await portal.ask(target, { method: 'DELETE', token: other }),
      404,
    );
    const deleted = await portal.ask(target, {
      method: 'DELETE',
      token: service,
    });
    expect(deleted.status).toBe(204);
    expect(deleted.body).toBe('');
    expectLimitHeaders(deleted);
    expectRefusal(
      await portal.ask(target, { method: 'DELETE', token: service }),
      404,
    );
  });

  it.each([
    [{ devfileUrl: 'http://localhost/devfile.yaml' }, /https/i],
    [{ devfileUrl: 5 }, /devfileUrl/],
    [{}, /devfileUrl is required/],
    [{ devfileUrl: 'https://elsewhere.example.org/devfile.yaml' }, /./],
  ])('are not created from %j', async (body, message) => {
    expect(expectRefusal(await create(body), 400)).toMatch(message);
  });

  it('are not listed by a status that there is not', async () => {
    const token = service;
    const known = await portal.ask(`${WORKSPACES}?status=Stopped`, { token });
    expect(known.body).toEqual({ workspaces: [], total: 0 });
    expectRefusal(
      await portal.ask(`${WORKSPACES}?status=Lost`, { token }),
      400,
    );
  });
});

describe('delivery', () => {
  it('answers the metrics of a period', async () => {
    const answer = await portal.ask(`${DORA}?team=payments`, {
      token: service,
    });
    expect(answer.status).toBe(200);
    const metric = {
      value: expect.any(Number),
      unit: expect.any(String),
      trend: expect.stringMatching(/^(increasing|stable|decreasing)$/),
      performance: expect.stringMatching(/^(elite|high|medium|low)$/),
    };
    expect(answer.body).toMatchObject({
      project: 'all',
      team: 'payments',
      period: {
        startDate: expect.stringMatching(DATE),
        endDate: expect.stringMatching(DATE),
      },
      metrics: {
        deploymentFrequency: metric,
        leadTimeForChanges: metric,
        changeFailureRate: metric,
        timeToRestoreService: metric,
      },
    });
  });

  it('answers the history of a service', async () => {
    const answer = await portal.ask(`${HISTORY}?service=shop`, {
      token: service,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ service: 'shop', deployments: [], total: 0 });
  });

  it.each([
    `${DORA}?startDate=yesterday`,
    `${DORA}?startDate=2026-02-02&endDate=2026-01-01`,
    HISTORY,
    `${HISTORY}?service=shop&environment=moon`,
    `${HISTORY}?service=shop&limit=0`,
    `${HISTORY}?service=shop&limit=101`,
    `${HISTORY}?service=shop&limit=many`,
  ])('refuses %s', async path => {
    const answer = await portal.ask(path, { token: service });
    expectRefusal(answer, 400);
    expectLimitHeaders(answer);
  });
});

describe('the catalog', () => {
  const register = (body: object, token: string = TOKENS.catalogOnly) =>
    portal.ask(LOCATIONS, { method: 'POST', token, body });
  const descriptor = (name: string) =>
    `${portal.forge}/descriptors/${name}.yaml`;
  const find = async (name: string) => {
    const filter = `kind=component,metadata.name=${name}`;
    const { body } = await portal.ask(`${ENTITIES}?filter=${filter}`, {
      token: TOKENS.catalogOnly,
    });
    return body as unknown[];
  };

  it('registers a location once, and an entity from one location', async () => {
    const target = descriptor('good');
    const created = await register({ type: 'url', target });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      locationId: expect.any(String),
      type: 'url',
      target,
      status: 'processing',
    });
    expectLimitHeaders(created);
    expectRefusal(await register({ type: 'url', target }), 409);

    await vi.waitFor(
      async () => expect(await find('registered')).toHaveLength(1),
      {
        timeout: 60_000,
        interval: 500,
      },
    );
    const [entity] = await find('registered');
    expect(entity).toMatchObject({
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Component',
      metadata: { name: 'registered', description: expect.any(String) },
      spec: { type: 'service', lifecycle: 'experimental' },
    });
    const copy = await register({ type: 'url', target: descriptor('copy') });
    expect(expectRefusal(copy, 409)).toContain('component:default/registered');
  });

  it('refuses descriptors that are wrong or cannot be read', async () => {
    const nameless = await register({
      type: 'url',
      target: descriptor('nameless'),
    });
    expect(expectRefusal(nameless, 400)).toBe('metadata.name is required');
    const missing = await register({
      type: 'url',
      target: descriptor('missing'),
    });
    expect(expectRefusal(missing, 400)).toContain('cannot be read');
    const foreign = 'https://elsewhere.example.org/x.yaml';
    expectRefusal(await register({ type: 'url', target: foreign }), 400);
  });

  it('registers files of the configured folder, and no others', async () => {
    const target = `${portal.folder}/local.yaml`;
    const created = await register({ type: 'file', target });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ type: 'file', target });
    const outside = await register({ type: 'file', target: '/etc/hostname' });
    expect(expectRefusal(outside, 400)).toContain('outside the folders');
  });

  it('picks fields', async () => {
    const path = `${ENTITIES}?filter=kind=user&fields=kind,metadata.name`;
    const answer = await portal.ask(path, { token: service });
    expect(answer.body).toEqual(
      expect.arrayContaining([{ kind: 'User', metadata: { name: 'ada' } }]),
    );
    expectRefusal(
      await portal.ask(`${ENTITIES}?filter==x`, { token: service }),
      400,
    );
  });
});

it.each([
  '/ide-launcher/nothing',
  '/delivery-lake/nothing',
  '/catalog/nothing',
])('%s is no path', async path => {
  expectRefusal(await portal.ask(path, { token: service }), 404);
});

describe('limits', () => {
  const across = [WORKSPACES, DORA, `${HISTORY}?service=shop`, ENTITIES];

  it('gives ada 100 requests a minute over all plugins and replicas, and leaves grace hers', async () => {
    // The replicas have databases of their own here, so each signs its own sessions.
    const tokens = new Map([[portal, await portal.signIn('ada')]]);
    if (redis) {
      tokens.set(replica, await replica.signIn('ada'));
    }
    const portals = [...tokens.keys()];
    const answers: Answer[] = [];
    for (let call = 0; call < 104; call++) {
      const asked = portals[call % portals.length];
      const path = across[call % across.length];
      answers.push(await asked.ask(path, { token: tokens.get(asked) }));
    }
    expect(new Set(answers.slice(0, 100).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    for (const refused of answers.slice(100)) {
      expectRefusal(refused, 429);
      expect(refused.headers.get('x-ratelimit-limit')).toBe('100');
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }

    const grace = await portal.ask(ENTITIES, {
      token: await portal.signIn('grace'),
    });
    expect(grace.status).toBe(200);
    expect(expectLimitHeaders(grace)).toEqual({ limit: 100, remaining: 99 });
  });

  it('gives a service token 1,000', async () => {
    const asks = Array.from({ length: 1_005 }, (_, call) => call);
    const statuses: number[] = [];
    // Twenty at a time, so that all are asked within the minute.
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        while (asks.pop() !== undefined) {
          const path = `${WORKSPACES}?status=Running`;
          const { status } = await portal.ask(path, { token: TOKENS.busy });
          statuses.push(status);
        }
      }),
    );
    expect(statuses.filter(status => status === 200)).toHaveLength(1_000);
    expect(statuses.filter(status => status === 429)).toHaveLength(5);
  });

  it('gives a restricted token one budget, of what it may ask and what not', async () => {
    const fresh = () => narrowIssuer.token('narrow');
    for (const token of [async () => TOKENS.catalogOnly, fresh]) {
      const left: number[] = [];
      for (const [path, status] of [
        [ENTITIES, 200],
        [WORKSPACES, 403],
        [DORA, 403],
        [ENTITIES, 200],
      ] as const) {
        const answer = await portal.ask(path, { token: await token() });
        expect(answer.status).toBe(status);
        left.push(expectLimitHeaders(answer).remaining);
      }
      expect(left).toEqual([0, 1, 2, 3].map(n => left[0] - n));
    }
  });

  it("leaves the portal's own routes alone", async () => {
    const answer = await portal.ask('/ide-launcher/options', {
      token: TOKENS.busy,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });
});

describe('the root', () => {
  const get = (path: string, method = 'GET') =>
    fetch(`${portal.origin}${path}`, { method });

  it.each(['/health', '/ready'])('says at %s how it is', async path => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok' });
    const refused = await get(path, 'POST');
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toBe('GET');
  });

  it('counts requests by plugin', async () => {
    await portal.ask(ENTITIES);
    const answer = await get('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await answer.text()).toMatch(
      /^http_request_duration_seconds_count\{plugin="catalog",method="GET",status="401"\} [1-9]/m,
    );
  });

  it('describes all routes of the contract', async () => {
    const description = await (await get('/openapi.json')).json();
    expect(description.openapi).toBe('3.1.0');
    for (const { method, path } of ROUTES) {
      const described = `/api${path.replace('workspace-x', '{workspaceId}')}`;
      expect(description.paths[described]).toHaveProperty(method.toLowerCase());
    }
    const text = JSON.stringify(description);
    const refs = [...text.matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)];
    expect(refs.length).toBeGreaterThan(20);
    for (const [, kind, name] of refs) {
      expect(description.components[kind]).toHaveProperty([name]);
    }
    const catalog = await portal.ask('/catalog/openapi.json');
    expect(catalog.status).toBe(200);
    expect(catalog.body).toHaveProperty(['paths', '/locations', 'post']);
  });
});
