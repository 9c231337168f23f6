import {
  coreServices,
  createBackendModule,
  createServiceFactory,
  ServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { NotFoundError, NotImplementedError } from '@backstage/errors';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import request from 'supertest';
import { eventually } from './__testUtils__/eventually';
import { FakeRuntime } from './__testUtils__/FakeRuntime';
import { ideLauncherPlugin } from './plugin';
import { workspaceRuntimeExtensionPoint } from './runtimes/runtimeExtensionPoint';

const DEVFILE_URL = 'https://forge.example.org/shop/devfile.yaml';
const DEVFILE = `
schemaVersion: 2.2.2
metadata:
  name: shop
  version: 1.4.0
components:
  - name: tools
    container:
      image: example.org/tools:1
      endpoints:
        - name: web
          targetPort: 8080
`;
const FILES: Record<string, string> = {
  [DEVFILE_URL]: DEVFILE,
  'https://forge.example.org/nameless.yaml': 'schemaVersion: 2.2.2\n',
  'https://forge.example.org/wrong.yaml':
    'schemaVersion: 2.2.2\ncomponents:\n  - name: Not_A_Label\n    container: {image: x}\n',
  'https://forge.example.org/broken.yaml': 'schemaVersion: "2.2.2\n',
  'https://forge.example.org/starters.yaml': `${DEVFILE}
starterProjects:
  - name: hello
    description: Says hello
    subDir: app
    zip: { location: https://forge.example.org/hello.zip }
`,
  'https://forge.example.org/climbing-name.yaml': `${DEVFILE}
projects:
  - name: ../../../home
    zip: { location: https://forge.example.org/shop.zip }
`,
  'https://forge.example.org/climbing-folder.yaml': `${DEVFILE}
projects:
  - name: shop
    clonePath: ../../home
    zip: { location: https://forge.example.org/shop.zip }
`,
  'https://forge.example.org/climbing-endpoint.yaml': `${DEVFILE}
          path: /%2e%2e/workspace-other/
`,
};

const urlReader = createServiceFactory({
  service: coreServices.urlReader,
  deps: {},
  factory: () => ({
    async readTree() {
      throw new NotImplementedError('Devfiles are single files');
    },
    async search() {
      throw new NotImplementedError('Devfiles are single files');
    },
    async readUrl(url: string) {
      const text = FILES[url];
      if (text === undefined) {
        throw new NotFoundError(`no ${url}`);
      }
      return { buffer: async () => Buffer.from(text) };
    },
  }),
});

const ADA = mockCredentials.user.header('user:default/ada');
const GRACE = mockCredentials.user.header('user:default/grace');

async function start(
  options: { limits?: object; features?: ServiceFactory[] } = {},
) {
  const runtime = new FakeRuntime();
  const runtimeModule = createBackendModule({
    pluginId: 'ide-launcher',
    moduleId: 'fake-runtime',
    register(env) {
      env.registerInit({
        deps: { point: workspaceRuntimeExtensionPoint },
        async init({ point }) {
          point.setRuntime(runtime);
        },
      });
    },
  });
  const { server } = await startTestBackend({
    features: [
      ideLauncherPlugin,
      runtimeModule,
      contractHttpRouterFactory,
      urlReader,
      mockServices.rootConfig.factory({
        data: {
          app: { baseUrl: 'http://localhost:3000' },
          // Read by the URL reader, which is a fake here.
          integrations: { gitea: [{ host: 'forge.example.org' }] },
          backend: {
            baseUrl: 'http://localhost:7007',
            reading: { allow: [{ host: 'forge.example.org' }] },
          },
          ideLauncher: {
            gateway: { listen: { port: 0 } },
            limits: options.limits,
            devfile: {
              samples: [
                {
                  title: 'Shop',
                  description: 'A shop',
                  devfileUrl: DEVFILE_URL,
                },
              ],
            },
          },
        },
      }),
      ...(options.features ?? []),
    ],
  });
  const call = (
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    authorization: string = ADA,
  ) =>
    request(server)
      [method](`/api/ide-launcher${path}`)
      .set('Authorization', authorization);
  const create = (body: object = {}, authorization = ADA) =>
    call('post', '/workspaces', authorization).send({
      devfileUrl: DEVFILE_URL,
      ...body,
    });
  const untilStatus = (id: string, status: string) =>
    eventually(async () => {
      const { body } = await call('get', `/workspaces/${id}`);
      expect(body.status).toBe(status);
      return body;
    });
  return { runtime, server, call, create, untilStatus };
}

describe('POST /workspaces', () => {
  it('answers 201 with the contract’s fields and starts the workspace', async () => {
    const { create, untilStatus } = await start();
    const { status, body } = await create();

    expect(status).toBe(201);
    expect(body).toEqual({
      workspaceId: expect.stringMatching(/^workspace-[0-9a-f-]{36}$/),
      name: expect.stringMatching(/^shop-[a-z0-9]{4}$/),
      namespace: 'ada-workspaces',
      status: 'Starting',
      ideUrl: `http://localhost:7010/w/${body.workspaceId}/`,
      devfile: { name: 'shop', version: '1.4.0' },
    });
    await untilStatus(body.workspaceId, 'Running');
  });

  it('begins with a starter project that the devfile offers', async () => {
    const { call, create, runtime } = await start();
    const devfileUrl = 'https://forge.example.org/starters.yaml';
    const preview = await call('post', '/devfile/preview').send({ devfileUrl });
    expect(preview.body.devfile.starterProjects).toEqual([
      { name: 'hello', description: 'Says hello' },
    ]);

    const { body } = await create({ devfileUrl, starterProject: 'hello' });
    await eventually(() =>
      expect(
        runtime.specs.get(body.workspaceId)?.devfile.projects,
      ).toMatchObject([{ name: 'hello', type: 'zip', subDir: 'app' }]),
    );
    const none = await create({ devfileUrl, starterProject: 'bye' });
    expect(none.status).toBe(400);
    expect(none.body).toEqual({
      error: "starterProject: the devfile has none named 'bye'; it has hello",
    });
  });

  it('takes name and namespace', async () => {
    const { create } = await start();
    const { body } = await create({ name: 'till', namespace: 'payments' });
    expect(body).toMatchObject({ name: 'till', namespace: 'payments' });
  });

  it.each([
    [{ devfileUrl: undefined }, /^devfileUrl is required$/],
    [{ devfileUrl: 7 }, /^devfileUrl: /],
    [{ devfileUrl: 'http://forge.example.org/d.yaml' }, /https/],
    [{ devfileUrl: 'https://forge.example.org/none.yaml' }, /404|not found/i],
    [
      { devfileUrl: 'https://forge.example.org/wrong.yaml' },
      /components\[0\]\.name/,
    ],
    [{ devfileUrl: 'https://forge.example.org/broken.yaml' }, /line/],
    [
      { devfileUrl: 'https://forge.example.org/climbing-name.yaml' },
      /^devfile is invalid: projects\[0\]\.name: must match/,
    ],
    [
      { devfileUrl: 'https://forge.example.org/climbing-folder.yaml' },
      /^devfile is invalid: projects\[0\]\.clonePath: must be a relative path that stays/,
    ],
    [
      { devfileUrl: 'https://forge.example.org/climbing-endpoint.yaml' },
      /^devfile is invalid: components\[0\]\.container\.endpoints\[0\]\.path: must be a path that stays/,
    ],
    [{ name: '../../etc' }, /^name: must start with/],
    [{ name: 'a'.repeat(64) }, /^name: must start with/],
    [{ namespace: 'No_Label' }, /^namespace: must start with/],
  ])('answers 400 to %j, naming the fault', async (body, message) => {
    const { create } = await start();
    const answer = await create(body);

    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(answer.body.error).toMatch(message);
  });

  it('answers 400 to what is not JSON and 413 to what is too large', async () => {
    const { call } = await start();
    const post = (type: string, body: string) =>
      call('post', '/workspaces').set('Content-Type', type).send(body);

    expect((await post('application/json', '{"devfileUrl":')).body).toEqual({
      error: 'The request body is not valid JSON',
    });
    const form = await post('text/plain', 'devfileUrl=x');
    expect(form.status).toBe(400);
    expect(form.body.error).toContain('application/json');
    const large = await post(
      'application/json',
      JSON.stringify({ devfileUrl: 'x'.repeat(1024 * 1024) }),
    );
    expect(large.status).toBe(413);
    expect(large.body).toEqual({ error: 'The request body is too large' });
  });

  it('lets one of two concurrent creations of a name win', async () => {
    const { create } = await start();
    const answers = await Promise.all([
      create({ name: 'till', namespace: 'payments' }),
      create({ name: 'till', namespace: 'payments' }),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toEqual({
      error: "A workspace named 'till' already exists in namespace 'payments'",
    });
  });

  it("answers 403 in another's namespace, or one that is kept for another", async () => {
    const { call, create } = await start();
    const { body } = await create({ namespace: 'payments' });

    const taken = await create({ namespace: 'payments' }, GRACE);
    expect(taken.status).toBe(403);
    expect(taken.body).toEqual({
      error: "Namespace 'payments' belongs to another user; choose another one",
    });
    const kept = await create({ namespace: 'ada-workspaces' }, GRACE);
    expect(kept.status).toBe(403);
    expect(kept.body).toEqual({
      error:
        "Namespace 'ada-workspaces' is kept for the user it is named after; yours is 'grace-workspaces'",
    });
    // Whoever may not be there learns nothing of the devfile.
    const invalid = await create(
      { namespace: 'payments', devfileUrl: 'http://forge.example.org/d.yaml' },
      GRACE,
    );
    expect(invalid.status).toBe(403);

    await call('delete', `/workspaces/${body.workspaceId}`);
    expect((await create({ namespace: 'payments' }, GRACE)).status).toBe(201);
  });

  it('answers 403 with the limit when it is reached, however many ask at once', async () => {
    const { create } = await start({ limits: { total: 2, running: 5 } });
    const answers = await Promise.all([1, 2, 3, 4].map(() => create()));

    expect(answers.map(({ status }) => status).sort()).toEqual([
      201, 201, 403, 403,
    ]);
    expect(answers.find(({ status }) => status === 403)!.body.error).toBe(
      'You have 2 of at most 2 workspaces; delete one to create another',
    );
    expect((await create({}, GRACE)).status).toBe(201);
  });
});

describe('GET /workspaces', () => {
  it("lists the caller's own with the contract's fields", async () => {
    const { call, create, untilStatus } = await start();
    const { body: created } = await create();
    await create({}, GRACE);
    await untilStatus(created.workspaceId, 'Running');

    const { status, body } = await call('get', '/workspaces');
    expect(status).toBe(200);
    expect(body.total).toBe(1);
    expect(body.workspaces).toEqual([
      expect.objectContaining({
        workspaceId: created.workspaceId,
        name: created.name,
        status: 'Running',
        ideUrl: created.ideUrl,
        devfile: { name: 'shop', version: '1.4.0' },
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        lastUsed: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      }),
    ]);
  });

  it('filters by status and answers 400 to another value', async () => {
    const { call, create, untilStatus } = await start();
    const { body: created } = await create();
    await untilStatus(created.workspaceId, 'Running');

    const running = await call('get', '/workspaces?status=Running');
    expect(running.body.total).toBe(1);
    const stopped = await call('get', '/workspaces?status=Stopped');
    expect(stopped.body).toEqual({ workspaces: [], total: 0 });
    const wrong = await call('get', '/workspaces?status=running');
    expect(wrong.status).toBe(400);
    expect(wrong.body).toEqual({
      error: 'status: must be one of Starting, Running, Stopping, Stopped',
    });
  });
});

describe('one workspace', () => {
  it('is stopped, started, extended and deleted', async () => {
    const { call, create, runtime, untilStatus } = await start();
    const { body: created } = await create();
    const path = `/workspaces/${created.workspaceId}`;
    const running = await untilStatus(created.workspaceId, 'Running');
    expect(running).toMatchObject({
      runtime: 'fake',
      editor: { id: 'fake', title: 'Fake editor', version: '1.0.0' },
      warnings: ['Volumes are not kept apart'],
      endpoints: [
        {
          name: 'web',
          targetPort: 8080,
          listening: false,
          url: `http://localhost:7010/w/${created.workspaceId}--8080/`,
        },
      ],
    });

    const extended = await call('post', `${path}/extend`);
    expect(Date.parse(extended.body.stopsAt)).toBeGreaterThan(
      Date.parse(running.stopsAt) + 59 * 60_000,
    );
    const stopped = await call('post', `${path}/stop`);
    expect(stopped.status).toBe(200);
    await untilStatus(created.workspaceId, 'Stopped');
    expect((await call('post', `${path}/extend`)).status).toBe(409);
    expect((await call('post', `${path}/ticket`)).status).toBe(409);
    expect((await call('post', `${path}/start`)).status).toBe(200);
    await untilStatus(created.workspaceId, 'Running');

    const log = await call('get', `${path}/logs`);
    expect(log.body.lines.map((line: { text: string }) => line.text)).toEqual([
      `${created.name} is up`,
      `${created.name} is up`,
    ]);
    const rest = await call('get', `${path}/logs?after=${log.body.next}`);
    expect(rest.body).toEqual({ lines: [], next: log.body.next });

    const deleted = await call('delete', path);
    expect(deleted.status).toBe(204);
    expect(deleted.text).toBe('');
    expect((await call('get', path)).status).toBe(404);
    expect(runtime.existing.size).toBe(0);
  });

  it('is not there for anybody else', async () => {
    const { call, create } = await start();
    const { body } = await create();
    const path = `/workspaces/${body.workspaceId}`;
    const missing = { error: `No workspace '${body.workspaceId}'` };

    for (const [method, suffix] of [
      ['get', ''],
      ['delete', ''],
      ['post', '/start'],
      ['post', '/stop'],
      ['post', '/extend'],
      ['get', '/logs'],
      ['post', '/ticket'],
    ] as const) {
      const answer = await call(method, path + suffix, GRACE);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(missing);
    }
    expect((await call('get', path)).status).toBe(200);
  });

  it('answers 404 to ids, and 400 to log positions, that a database may refuse', async () => {
    const { call, create } = await start();
    for (const id of ['%00', 'workspace-%00', `workspace-${'a'.repeat(999)}`]) {
      expect((await call('get', `/workspaces/${id}`)).status).toBe(404);
    }
    const { body } = await create();
    const log = await call(
      'get',
      `/workspaces/${body.workspaceId}/logs?after=2147483648`,
    );
    expect(log.status).toBe(400);
    expect(log.body.error).toMatch(/^after: /);
  });

  it('gives a one-time address of the IDE', async () => {
    const { call, create, untilStatus } = await start();
    const { body } = await create();
    await untilStatus(body.workspaceId, 'Running');
    const { status, body: ticket } = await call(
      'post',
      `/workspaces/${body.workspaceId}/ticket`,
    );

    expect(status).toBe(200);
    expect(ticket.url).toMatch(
      new RegExp(`^${body.ideUrl}\\?ticket=[\\w-]{43}$`),
    );
    expect(Date.parse(ticket.expiresAt)).toBeGreaterThan(Date.now());
  });
});

describe('beside the workspaces', () => {
  it('previews a devfile with what is wrong or will not be done', async () => {
    const { call } = await start();
    const preview = (devfileUrl: string) =>
      call('post', '/devfile/preview').send({ devfileUrl });

    expect((await preview(DEVFILE_URL)).body).toMatchObject({
      valid: true,
      issues: [],
      devfile: {
        name: 'shop',
        version: '1.4.0',
        schemaVersion: '2.2.2',
        components: [{ name: 'tools', type: 'container' }],
        endpoints: [{ name: 'web', targetPort: 8080, exposure: 'public' }],
      },
      warnings: ['Volumes are not kept apart'],
    });
    const wrong = await preview('https://forge.example.org/wrong.yaml');
    expect(wrong.status).toBe(200);
    expect(wrong.body).toMatchObject({
      valid: false,
      devfile: null,
      issues: [{ path: 'components[0].name' }],
    });
  });

  it('tells limits, usage, samples and the editor', async () => {
    const { call, create } = await start();
    await create();
    const { body } = await call('get', '/options');

    expect(body).toEqual({
      samples: [
        { title: 'Shop', description: 'A shop', devfileUrl: DEVFILE_URL },
      ],
      defaultNamespace: 'ada-workspaces',
      limits: { total: 50, running: 25 },
      usage: { total: 1, running: 1 },
      runtime: {
        kind: 'fake',
        editor: expect.objectContaining({ state: 'ready' }),
        isolation: expect.objectContaining({ kind: 'none' }),
      },
      idleTimeoutMinutes: 30,
    });
  });

  it('answers 401, 404 and 405 in the contract’s format', async () => {
    const { call, server } = await start();
    const anonymous = await request(server)
      .get('/api/ide-launcher/workspaces')
      .set('Authorization', mockCredentials.none.header());
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toEqual({ error: expect.any(String) });

    const unknown = await call('get', '/nothing');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ error: 'No such resource: /nothing' });

    const wrongMethod = await call('put', '/workspaces');
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.allow).toBe('GET, POST');
    expect(Object.keys(wrongMethod.body)).toEqual(['error']);
  });

  it('asks for permission before it looks at the request', async () => {
    const { call } = await start({
      features: [
        mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
      ],
    });
    const answer = await call('post', '/workspaces').send({});
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      error: 'Permission ide-launcher.workspace.create is required',
    });
  });

  it('gives a service token workspaces of its own', async () => {
    const { call, create } = await start();
    await create();
    const service = mockCredentials.service.header({
      onBehalfOf: mockCredentials.service('external:ci'),
      targetPluginId: 'ide-launcher',
    });
    expect((await call('get', '/workspaces', service)).body.total).toBe(0);
    const created = await create({}, service);
    expect(created.status).toBe(201);
    expect((await call('get', '/workspaces', service)).body.total).toBe(1);
  });
});
