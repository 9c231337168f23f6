import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  HELLO,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import type { Job } from '../jobs/Job.ts';

const PATH = '/generic-webhook-trigger/invoke';
const AFTER = '8d7f1a0c'.repeat(5);
const PUSH = {
  repository: {
    name: 'payments-api',
    url: 'https://forge.example.org/shop/payments-api',
    clone_url: 'https://forge.example.org/shop/payments-api.git',
  },
  ref: 'refs/heads/main',
  before: '0'.repeat(40),
  after: AFTER,
  commits: [
    {
      id: AFTER,
      message: 'Round half to even\n\nAs banks do.',
      author: { name: 'Ada', email: 'ada@example.org' },
    },
  ],
};

const SIGNED: Job = {
  name: 'signed',
  parameters: [
    { name: 'REPOSITORY', required: true, payload: 'repository.name' },
  ],
  webhook: {
    token: 'other-webhook',
    signingSecrets: ['signing', 'signing-next'],
    refs: ['refs/heads/*'],
  },
  steps: [{ name: 'Say', run: 'echo "$REPOSITORY $GIT_BRANCH $GIT_COMMIT"' }],
};
const ALSO: Job = { ...HELLO, name: 'also' };

let server: TestServer;
let nobody: BuildClient;
let dev: BuildClient;

beforeAll(async () => {
  server = await startBuildServer({ jobs: [HELLO, ALSO, SIGNED] });
  nobody = new BuildClient(server.url, null);
  dev = new BuildClient(server.url);
});

afterAll(() => server.stop());

const invoke = (
  token: string | null,
  body: unknown = PUSH,
  headers: Record<string, string> = {},
) =>
  nobody.json(
    token === null ? PATH : `${PATH}?token=${encodeURIComponent(token)}`,
    body,
    headers,
  );

/** Signs a body as a forge does. */
function sign(body: string, secret = 'test-signing-secret'): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

const invokeSigned = (
  body: string,
  signature: string | undefined,
  more: Record<string, string> = {},
) =>
  nobody.send('POST', `${PATH}?token=test-other-token`, {
    body,
    headers: {
      'content-type': 'application/json',
      ...(signature && { 'x-hub-signature-256': signature }),
      ...more,
    },
  });

it('triggers every job that has the token', async () => {
  const answer = await invoke('test-webhook-token');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    jobs: {
      hello: {
        triggered: true,
        url: expect.stringMatching(
          new RegExp(`^${server.url}/queue/item/\\d+/$`),
        ),
        buildNumber: 1,
      },
      also: { triggered: true, url: expect.any(String), buildNumber: 1 },
    },
  });
  const item = new URL(answer.body.jobs.hello.url).pathname;
  const build = await dev.ended(await dev.started(item));
  expect(build).toMatchObject({
    number: 1,
    changeSet: {
      items: [
        {
          commitId: AFTER,
          msg: 'Round half to even',
          author: { fullName: 'Ada' },
        },
      ],
    },
  });
});

it('cannot be signed by a committer with the name of a user', async () => {
  const author = { name: 'user:default/grace', email: 'eve@example.org' };
  const answer = await invoke('test-webhook-token', {
    ...PUSH,
    after: 'b'.repeat(40),
    commits: [{ ...PUSH.commits[0], author }],
  });
  const item = new URL(answer.body.jobs.hello.url).pathname;
  const build = await dev.ended(await dev.started(item));
  expect(JSON.stringify(build.actions)).toContain(
    '"userName":"git:user:default/grace"',
  );
});

it('is 400 without a token and 401 with a wrong one', async () => {
  const missing = await invoke(null);
  expect([missing.status, missing.body]).toEqual([
    400,
    { message: 'token is required' },
  ]);
  expect((await invoke('')).status).toBe(400);
  const wrong = await invoke('wrong');
  expect([wrong.status, wrong.body]).toEqual([
    401,
    { message: 'The token is not valid' },
  ]);
  // Callers without a valid token learn nothing about bodies, which are not read.
  expect((await invoke('wrong', [])).status).toBe(401);
  const large = { ...PUSH, note: 'x'.repeat(1_100_000) };
  expect((await invoke('wrong', large)).status).toBe(401);
  const refused = await invoke('test-webhook-token', large);
  expect([refused.status, refused.body]).toEqual([
    413,
    { message: 'The request body is too large' },
  ]);
});

it.each([
  ['?token=wrong', 401],
  ['?token=', 400],
])('is refused with %s before its body has come', async (query, status) => {
  const parse = vi.spyOn(JSON, 'parse');
  const sent = http.request(`${server.url}${PATH}${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': 1_000_000,
    },
  });
  sent.on('error', () => undefined);
  sent.write('{"ref":');
  try {
    const signal = AbortSignal.timeout(20_000);
    const [answer] = await once(sent, 'response', { signal });
    expect(answer.statusCode).toBe(status);
    expect(parse.mock.calls.filter(([text]) => /ref/.test(text))).toEqual([]);
  } finally {
    sent.destroy();
    parse.mockRestore();
  }
});

it('must be signed in production, unless its job allows unsigned ones', async () => {
  const start = (job: Job) =>
    startBuildServer({
      isProduction: true,
      jobs: [job],
      config: { executors: 0 },
    });
  const closed = await start(HELLO);
  const reader = new BuildClient(closed.url);
  const { body } = await reader.get('/api/json');
  const refused = await new BuildClient(closed.url, null).json(
    `${PATH}?token=test-webhook-token`,
    PUSH,
  );
  await closed.stop();
  expect(body.jobs[0]).toMatchObject({
    buildable: false,
    faults: [
      {
        message: expect.stringMatching(
          /webhook\.signingSecrets is required in production.* the job hello\./,
        ),
      },
    ],
  });
  expect(refused.status).toBe(401);
  const open = await start({
    ...HELLO,
    webhook: { token: 'hello-webhook', unsigned: 'allow' },
  });
  const caller = new BuildClient(open.url, null);
  const answer = await caller.json(`${PATH}?token=test-webhook-token`, PUSH);
  await open.stop();
  expect(answer.status).toBe(200);
});

it.each([
  ['{', 'application/json'],
  ['[]', 'application/json'],
  ['null', 'application/json'],
  ['', 'application/json'],
  ['{}', 'text/plain'],
  ['{}', 'application/x-www-form-urlencoded'],
  ['payload=%7B', 'application/x-www-form-urlencoded'],
])('is 400 for the body %j of %s', async (body, type) => {
  const answer = await nobody.send('POST', `${PATH}?token=test-webhook-token`, {
    body,
    headers: { 'content-type': type },
  });
  expect([answer.status, answer.body]).toEqual([
    400,
    { message: expect.any(String) },
  ]);
});

it('accepts a payload in a form', async () => {
  const body = new URLSearchParams({
    payload: JSON.stringify(PUSH),
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const open = await nobody.send('POST', `${PATH}?token=test-webhook-token`, {
    body,
    headers,
  });
  expect([open.status, open.body.jobs.hello.triggered]).toEqual([200, true]);
});

it('accepts GET, which has no payload, but not HEAD', async () => {
  const open = await nobody.get(`${PATH}?token=test-webhook-token`);
  expect([open.status, open.body.jobs.hello.triggered]).toEqual([200, true]);
  expect((await nobody.get(`${PATH}?token=wrong`)).status).toBe(401);
  expect((await nobody.get(PATH)).status).toBe(400);
  const head = await nobody.send('HEAD', `${PATH}?token=test-webhook-token`);
  expect(head.status).toBeGreaterThanOrEqual(404);
});

it.each([{}, { ref: 7, commits: 'none', repository: [] }, { a: '\u0000' }])(
  'takes any object: %j',
  async payload => {
    const answer = await invoke('test-webhook-token', payload);
    expect(answer.body.jobs.hello.triggered).toBe(true);
  },
);

it('ignores a signature where no secret is set', async () => {
  const answer = await invoke('test-webhook-token', PUSH, {
    'x-hub-signature-256': 'sha256=nonsense',
  });
  expect(answer.status).toBe(200);
});

it.each([
  ['nothing', undefined],
  ['a wrong digest', `sha256=${'0'.repeat(64)}`],
  ['a digest of another body', sign('{}')],
  ['a digest without its name', sign(JSON.stringify(PUSH)).slice(7)],
  ['an old algorithm', 'sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709'],
])('is 401 for a signed job with %s', async (_what, signature) => {
  const answer = await invokeSigned(JSON.stringify(PUSH), signature);
  expect([answer.status, answer.body]).toEqual([
    401,
    { message: 'The signature is missing or not valid' },
  ]);
});

it.each(['test-signing-secret', 'test-signing-secret-next'])(
  'verifies the bytes as they came, with %s',
  async secret => {
    // Spaces and escapes that no serialiser would write in this way.
    const body = ` {"ref": "refs\\/heads\\/main",\n"after":"${AFTER}", "repository" : {"name":"caf\\u00e9"}}`;
    const answer = await invokeSigned(body, sign(body, secret));
    expect(answer.body).toMatchObject({
      jobs: { signed: { triggered: true } },
    });
    const item = new URL(answer.body.jobs.signed.url).pathname;
    const build = await dev.started(item);
    await dev.ended(build);
    expect(await dev.log(build)).toContain(`café main ${AFTER}`);
  },
);

it('reports why it does not trigger', async () => {
  const send = (payload: object, more: Record<string, string> = {}) => {
    const body = JSON.stringify(payload);
    return invokeSigned(body, sign(body), more);
  };
  const gone = await send({ ...PUSH, after: '0'.repeat(40) });
  expect([gone.status, gone.body.jobs.signed]).toEqual([
    200,
    {
      triggered: false,
      url: '',
      buildNumber: 0,
      reason: 'The ref was deleted',
    },
  ]);
  const tag = await send({ ...PUSH, ref: 'refs/tags/1.0' });
  expect(tag.body.jobs.signed.reason).toBe(
    'The job does not build refs/tags/1.0',
  );
  const ping = await send(PUSH, { 'x-forge-event': 'ping' });
  expect(ping.body.jobs.signed.reason).toBe(
    'The job does not build on ping events',
  );
  const nameless = await send({ ref: 'refs/heads/main' });
  expect([nameless.status, nameless.body]).toEqual([
    400,
    { message: 'Parameter REPOSITORY is required' },
  ]);
});

it('makes one build of a delivery that is sent again', async () => {
  const headers = { 'x-github-delivery': 'b1946ac9-2f6e' };
  const [one, other] = await Promise.all([
    invoke('test-webhook-token', PUSH, headers),
    invoke('test-webhook-token', PUSH, headers),
  ]);
  const again = await invoke('test-webhook-token', PUSH, headers);
  expect(other.body).toEqual(one.body);
  expect(again.body).toEqual(one.body);
  const next = await invoke('test-webhook-token', PUSH);
  expect(next.body.jobs.hello.buildNumber).toBe(
    one.body.jobs.hello.buildNumber + 1,
  );
});
