import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import request from 'supertest';
import plugin from './index';

const PATH = '/api/feature-flags/portal-flags';

/** What unleash-client asks of the service. */
function serveFlags(enabled: boolean) {
  const state = { enabled, tokens: new Set<string | undefined>() };
  const server: Server = createServer((req, res) => {
    state.tokens.add(req.headers.authorization);
    if (req.url !== '/api/client/features') {
      res.writeHead(202).end();
      return;
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        version: 2,
        features: [
          {
            name: 'portal.flag-usage',
            enabled: state.enabled,
            strategies: [{ name: 'default', parameters: {} }],
          },
        ],
      }),
    );
  });
  return { state, server };
}

const start = (flags?: object) =>
  startTestBackend({
    features: [
      plugin,
      mockServices.rootConfig.factory({
        data: { ...(flags && { slipway: { flags } }) },
      }),
    ],
  });

describe('GET /portal-flags', () => {
  it('follows the service, as its client', async () => {
    const { state, server } = serveFlags(false);
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const backend = await start({
      url: `http://127.0.0.1:${port}/api`,
      token: '*:development.a-token',
      refreshSeconds: 0.1,
    });
    const flag = async () => {
      const { body } = await request(backend.server)
        .get(PATH)
        .set('authorization', mockCredentials.user.header());
      return body.flags['portal.flag-usage'];
    };
    await vi.waitUntil(async () => !(await flag()), { timeout: 10_000 });
    state.enabled = true;
    await vi.waitUntil(flag, { timeout: 10_000 });
    expect([...state.tokens]).toEqual(['*:development.a-token']);
    await backend.stop();
    server.closeAllConnections();
    server.close();
  });

  it('answers defaults without a service, and signed-in users alone', async () => {
    const { server } = await start();
    const answer = await request(server)
      .get(PATH)
      .set('authorization', mockCredentials.user.header());
    expect(answer.body).toEqual({ flags: { 'portal.flag-usage': true } });
    const service = await request(server)
      .get(PATH)
      .set('authorization', mockCredentials.service.header());
    expect(service.status).toBe(403);
  });
});
