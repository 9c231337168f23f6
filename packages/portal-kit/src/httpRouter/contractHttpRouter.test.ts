import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { ConflictError, NotAllowedError } from '@backstage/errors';
import { Router } from 'express';
import request from 'supertest';
import { jsonBody } from '../http/requests';
import { contractHttpRouterFactory } from './contractHttpRouter';

function pluginThatFails(pluginId: string) {
  return createBackendPlugin({
    pluginId,
    register(env) {
      env.registerInit({
        deps: { httpRouter: coreServices.httpRouter },
        async init({ httpRouter }) {
          const router = Router();
          router.post('/echo', ...jsonBody(), (req, res) => {
            res.json(req.body);
          });
          router.get('/conflict', (_req, _res, next) =>
            next(new ConflictError('It is there already')),
          );
          router.get('/denied', (_req, _res, next) =>
            next(new NotAllowedError('Not for you')),
          );
          router.get('/secret', (_req, _res, next) =>
            next(new Error('password is hunter2')),
          );
          httpRouter.use(router);
        },
      });
    },
  });
}

async function start() {
  const { server } = await startTestBackend({
    features: [
      contractHttpRouterFactory,
      pluginThatFails('ide-launcher'),
      pluginThatFails('elsewhere'),
    ],
  });
  return request(server);
}

describe('contractHttpRouterFactory', () => {
  it.each([
    ['/conflict', 409, 'It is there already'],
    ['/denied', 403, 'Not for you'],
    ['/unknown', 404, 'No such resource: /unknown'],
    ['/secret', 500, 'An internal error occurred'],
  ])(
    'responds to %s of a contract plugin with %i',
    async (path, status, error) => {
      const answer = await (await start()).get(`/api/ide-launcher${path}`);
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ error });
    },
  );

  it('formats the 401 of a contract plugin in the same way', async () => {
    const anonymous = await (
      await start()
    )
      .get('/api/ide-launcher/conflict')
      .set('Authorization', mockCredentials.none.header());
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toEqual({ error: 'Missing credentials' });

    const invalid = await (
      await start()
    )
      .get('/api/ide-launcher/conflict')
      .set('Authorization', mockCredentials.user.invalidHeader());
    expect(invalid.status).toBe(401);
    expect(invalid.body).toEqual({ error: expect.any(String) });
  });

  it('explains bodies that cannot be read', async () => {
    const api = await start();
    const post = (type: string, body: string) =>
      api.post('/api/ide-launcher/echo').set('Content-Type', type).send(body);

    expect((await post('application/json', '{"a":1}')).body).toEqual({ a: 1 });
    const malformed = await post('application/json', '{');
    expect(malformed.status).toBe(400);
    expect(malformed.body.error).toBe('The request body is not valid JSON');
    const form = await post('application/x-www-form-urlencoded', 'a=1');
    expect(form.status).toBe(400);
    expect(form.body.error).toBe('Content-Type must be application/json');
    const charset = await post('application/json; charset=klingon', '{}');
    expect(charset.status).toBe(400);
    expect(charset.body.error).toBe('The character set is not supported');
    const large = await post('application/json', `"${'x'.repeat(1_048_577)}"`);
    expect(large.status).toBe(413);
  });

  it("leaves other plugins Backstage's own format", async () => {
    const answer = await (await start()).get('/api/elsewhere/conflict');
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      error: { name: 'ConflictError', message: 'It is there already' },
      response: { statusCode: 409 },
    });
  });
});
