import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  coreServices,
  createBackendPlugin,
  createServiceFactory,
  type RootLoggerService,
} from '@backstage/backend-plugin-api';
import { createBackend } from '@backstage/backend-defaults';
import { mockServices } from '@backstage/backend-test-utils';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { Router } from 'express';
import request from 'supertest';
import { contractHttpRouterFactory } from '../httpRouter/contractHttpRouter';
import { contractRootHttpRouterFactory } from './rootHttpRouter';

/** Replaces the app, which serves its page at every path. */
const app = createBackendPlugin({
  pluginId: 'app',
  register(env) {
    env.registerInit({
      deps: { httpRouter: coreServices.httpRouter },
      async init({ httpRouter }) {
        const router = Router();
        router.get('/static/broken.js', (_req, _res, next) =>
          next(new Error('secret')),
        );
        router.get('/*', (req, res) => {
          res.type('html').send(`<p>the app ${JSON.stringify(req.query)}</p>`);
        });
        httpRouter.use(router);
        httpRouter.addAuthPolicy({ path: '/', allow: 'unauthenticated' });
      },
    });
  },
});

describe('contractRootHttpRouterFactory in development', () => {
  const backend = createBackend();
  const lines: string[] = [];
  const logger: RootLoggerService = {
    error: line => lines.push(line),
    warn: line => lines.push(line),
    info: line => lines.push(line),
    debug: line => lines.push(line),
    child: () => logger,
  };
  let api: ReturnType<typeof request>;
  let port: number;

  beforeAll(async () => {
    // In this mode Backstage itself shows stack traces.
    vi.stubEnv('NODE_ENV', 'development');
    [port] = await findFreePorts(1);
    const baseUrl = `http://127.0.0.1:${port}`;
    backend.add(
      mockServices.rootConfig.factory({
        data: {
          app: { baseUrl },
          backend: {
            baseUrl,
            listen: { host: '127.0.0.1', port },
            database: { client: 'better-sqlite3', connection: ':memory:' },
          },
        },
      }),
    );
    backend.add(
      createServiceFactory({
        service: coreServices.rootLogger,
        deps: {},
        factory: () => logger,
      }),
    );
    backend.add(contractRootHttpRouterFactory);
    backend.add(contractHttpRouterFactory);
    backend.add(app);
    await backend.start();
    api = request(baseUrl);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await backend.stop();
  });

  it.each(['/experience/friction/%', '/%', '/a/%zz/b', '/%E0%A4%A'])(
    'serves the app at %s',
    async path => {
      const answer = await api.get(`${path}?tab=1`).set('Accept', 'text/html');
      expect(answer.status).toBe(200);
      expect(answer.text).toBe('<p>the app {"tab":"1"}</p>');
    },
  );

  it.each([
    ['/experience/friction/%', 400],
    ['/api/app/%', 400],
    ['/api/nothing/%', 404],
    ['/static/%', 400],
    ['/static/broken.js', 500],
  ])(
    'responds to %s of a program with %i and no stack',
    async (path, status) => {
      const answer = await api.get(path).set('Accept', '*/*');
      expect(answer.status).toBe(status);
      expect(answer.text).not.toMatch(/node_modules|\bat .*:\d+:\d+/);
    },
  );

  it.each(['/%', '/%ff?project=1', '/static/%'])(
    'rejects %s in the format of the contract',
    async path => {
      const answer = await api.get(path).set('Accept', '*/*');
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: 'The path has an invalid percent encoding',
      });
      expect(answer.headers).toHaveProperty('content-security-policy');
    },
  );

  it.each([
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['a head that is too large', `GET /${'a'.repeat(20_000)}`, 431],
    [
      'an unknown expectation',
      'GET /api/nothing HTTP/1.0\r\nExpect: wonders\r\n\r\n',
      404,
    ],
  ])(
    'responds to %s in the format of the contract',
    async (_, words, status) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(words);
      const answer = await text(socket);
      const [head, body] = answer.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toMatch(/^content-type: application\/json/im);
      expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/\S/) });
    },
  );

  it('logs requests without the secrets of their addresses', async () => {
    await api
      .get('/api/auth/oidc/handler/frame?code=hunter2&state=hunter3&x=1')
      .set('Referer', 'https://id.example/?id_token=hunter4');
    await vi.waitFor(() => expect(lines.join()).toContain('handler/frame'));
    expect(lines.join()).toContain('x=1');
    expect(lines.join()).not.toContain('hunter');
  });
});
