import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  basic,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { StepSecrets } from './StepSecrets.ts';
import { buildServer } from '../service.ts';

const ADMIN_TOKEN = 'test-admin-token';
const VALUE = 'first-stored-value';

describe.each(testDatabaseClients())('stored secrets on %s', client => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let server: TestServer;
  let dev: BuildClient;
  let admin: BuildClient;

  beforeAll(async () => {
    database = await openTestDatabase(client, buildServer);
    server = await startBuildServer({
      database: database.database,
      jobs: [
        {
          name: 'shop',
          steps: [
            {
              name: 'Deploy',
              run: 'echo "${#TOKEN} characters: $TOKEN"',
              secrets: { TOKEN: 'deploy-key' },
            },
          ],
        },
      ],
      config: {
        secretsKey: 'a key of a test with more than 32 characters',
        stepSecrets: { configured: { value: 'configured-value', jobs: ['x'] } },
        auth: {
          users: [
            { name: 'admin', key: ADMIN_TOKEN, scopes: ['read', 'admin'] },
            { name: 'dev', key: 'test-api-token', scopes: ['read', 'trigger'] },
          ],
        },
      },
    });
    dev = new BuildClient(server.url);
    admin = new BuildClient(server.url, basic('admin', ADMIN_TOKEN));
  });

  afterAll(async () => {
    await server.stop();
    await database.dispose();
  });

  const put = (name: string, body: unknown, as = admin) =>
    as.send('PUT', `/secrets/${name}`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  it('have no branches that could take too long to match', async () => {
    const answer = await put('slow', {
      ...{ value: VALUE, jobs: ['shop'] },
      branches: ['main', '*a*a*a*a*b'],
    });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringMatching(/^branches\.1 could take too long to match/),
    ]);
  });

  it('reach builds, and no response', async () => {
    expect((await dev.post('/job/shop/build')).status).toBe(409);
    expect(
      (await put('deploy-key', { value: VALUE, jobs: ['shop'] })).status,
    ).toBe(201);
    const build = await dev.build('shop');
    expect(build).toMatchObject({ result: 'SUCCESS' });
    expect(await dev.log('/job/shop/1/')).toContain('18 characters: ****');

    const { body, text } = await admin.get('/secrets');
    expect(body).toMatchObject({
      storable: true,
      secrets: [
        { name: 'configured', origin: 'configuration', lastUsedAt: null },
        {
          name: 'deploy-key',
          origin: 'stored',
          jobs: ['shop'],
          branches: [],
          updatedBy: 'token:admin',
          lastUsedBy: 'shop #1',
          lastUsedAt: expect.any(Number),
          readable: true,
        },
      ],
    });
    expect(text).not.toContain(VALUE);
    const rows = await database.database.knex('secrets');
    expect(JSON.stringify(rows)).not.toContain(VALUE);
    const audit = await admin.get('/api/v1/audit');
    expect(audit.body.entries).toMatchObject([
      { action: 'Create or replace a secret', target: 'deploy-key' },
    ]);
    expect(audit.text).not.toContain(VALUE);
  });

  it('are replaced and deleted', async () => {
    expect(
      (await put('deploy-key', { value: 'another-value', jobs: ['shop'] }))
        .status,
    ).toBe(204);
    // Without a value, only the scope changes.
    expect(
      (await put('deploy-key', { jobs: ['shop'], branches: ['main'] })).status,
    ).toBe(204);
    await dev.build('shop');
    // The job has no branch, so the secret is not for its builds.
    expect(await dev.log('/job/shop/2/')).toContain('0 characters:');
    expect((await admin.send('DELETE', '/secrets/deploy-key')).status).toBe(
      204,
    );
    expect((await admin.send('DELETE', '/secrets/deploy-key')).status).toBe(
      404,
    );
    const refused = await dev.post('/job/shop/build');
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('deploy-key');
  });

  it('are for admins', async () => {
    const nobody = new BuildClient(server.url, null);
    const secret = { value: VALUE, jobs: ['shop'] };
    expect((await dev.get('/secrets')).status).toBe(403);
    expect((await nobody.get('/secrets')).status).toBe(401);
    expect((await put('other', secret, dev)).status).toBe(403);
    expect((await put('configured', secret)).status).toBe(409);
    expect((await admin.send('DELETE', '/secrets/configured')).status).toBe(
      409,
    );
    expect((await put('other', { jobs: ['shop'] })).status).toBe(404);
    for (const body of [
      { ...secret, jobs: [] },
      { ...secret, value: 'short' },
    ]) {
      expect((await put('other', body)).status).toBe(400);
    }
    expect((await put('Other', secret)).status).toBe(404);
  });
});

it('cannot be stored in production without a key', async () => {
  const server = await startBuildServer({
    isProduction: true,
    config: {
      auth: {
        users: [{ name: 'admin', key: ADMIN_TOKEN, scopes: ['read', 'admin'] }],
      },
    },
  });
  try {
    const admin = new BuildClient(server.url, basic('admin', ADMIN_TOKEN));
    expect((await admin.get('/secrets')).body).toEqual({
      storable: false,
      secrets: [],
    });
    const refused = await admin.send('PUT', '/secrets/one', {
      body: JSON.stringify({ value: VALUE, jobs: ['shop'] }),
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('buildServer.secretsKey');
  } finally {
    await server.stop();
  }
});

it.each([
  [{ ref: 'refs/heads/main' }, true],
  [{ ref: 'refs/heads/release/1' }, true],
  [{ ref: 'refs/heads/release' }, false],
  [{ ref: 'refs/tags/main' }, false],
  [
    { ref: 'refs/heads/main', pullRequest: { number: 1, isFork: false } },
    false,
  ],
  [null, true],
])('gives a secret of branches to a build of %o: %s', (source, isGiven) => {
  const secrets = new StepSecrets({
    key: { value: VALUE, jobs: ['shop'], branches: ['main', 'release/*'] },
  });
  const job = {
    name: 'shop',
    source: { repository: 'https://x.example/y.git', branch: 'main' },
    steps: [{ name: 'A', run: 'exit 0', secrets: { KEY: 'key' } }],
  };
  const build = { source, parameters: {} } as unknown as Parameters<
    typeof secrets.forBuild
  >[1];
  expect(secrets.forBuild(job, build).key.value).toBe(isGiven ? VALUE : '');
});

it.each([
  { ref: 'refs/heads/main' },
  { ref: 'refs/heads/release' },
  { ref: 'refs/pull/1/head', pullRequest: { number: 1, isFork: true } },
])('gives a build of %o on an agent what the server has given it', source => {
  const secrets = new StepSecrets({
    key: { value: VALUE, jobs: ['shop'], branches: ['main'] },
    checkout: { value: `${VALUE}-2`, jobs: ['shop'] },
    other: { value: `${VALUE}-3`, jobs: ['other'] },
  });
  const job = {
    name: 'shop/PR-1',
    pipelines: {},
    source: {
      ...{ repository: 'https://x.example/y.git', branch: 'main' },
      credentials: { secret: 'checkout' },
    },
    steps: [],
  };
  const build = { source, parameters: {} } as unknown as Parameters<
    typeof secrets.forBuild
  >[1];
  const sent = secrets.forBuild(job, build);
  expect(Object.keys(sent)).toEqual(['key', 'checkout']);
  expect(sent.checkout.value).toBe(`${VALUE}-2`);
  // The agent runs builds with the same code, which selects the build's secrets once more.
  expect(new StepSecrets(sent).forBuild(job, build)).toEqual(sent);
});

it.each([
  ['main', true],
  ['refs/heads/main', true],
  ['refs/tags/main', false],
])('knows the branch of a job that calls it %s', (branch, isGiven) => {
  const secrets = new StepSecrets({
    key: { value: VALUE, jobs: ['shop'], branches: ['main'] },
  });
  const job = {
    name: 'shop',
    source: { repository: 'https://x.example/y.git', branch },
    steps: [{ name: 'A', run: 'exit 0', secrets: { KEY: 'key' } }],
  };
  const { key } = secrets.forBuild(job, { source: null, parameters: {} });
  expect(key.value).toBe(isGiven ? VALUE : '');
});
