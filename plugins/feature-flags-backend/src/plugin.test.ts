import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import request from 'supertest';
import plugin from './index';

const PATH = '/api/feature-flags/portal-flags';
const ADA = mockCredentials.user.header('user:default/ada');

/** Serves what unleash-client reads from the service: a stream with the states of one flag. */
async function serveFlags() {
  const tokens = new Set<string | undefined>();
  const streams = new Set<ServerResponse>();
  let eventId = 1;
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  const feature = (enabled: boolean) => ({
    name: 'new-menu',
    enabled,
    strategies: [
      {
        name: 'default',
        parameters: {},
        constraints: [
          {
            contextName: 'groups',
            operator: 'STR_CONTAINS',
            values: ['user:default/ada'],
          },
        ],
      },
    ],
  });
  const server = createServer((req, res) => {
    tokens.add(req.headers.authorization);
    if (req.url !== '/api/client/streaming') {
      res.writeHead(202).end();
      return;
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(
      event('unleash-connected', {
        events: [
          {
            type: 'hydration',
            eventId,
            features: [feature(false)],
            segments: [],
          },
        ],
      }),
    );
    streams.add(res);
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api`,
    tokens,
    turn(isOn: boolean) {
      eventId += 1;
      const data = {
        events: [{ type: 'feature-updated', eventId, feature: feature(isOn) }],
      };
      streams.forEach(stream => stream.write(event('unleash-updated', data)));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
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

describe('the flags of the portal', () => {
  it('follow the service, for the reader and their groups, and pages hear of changes', async () => {
    const service = await serveFlags();
    const backend = await start({
      url: service.url,
      token: '*:development.a-token',
    });
    const read = async (header = ADA) => {
      const { body } = await request(backend.server)
        .get(`${PATH}?names=new-menu,unknown`)
        .set('authorization', header);
      return body.flags;
    };
    await vi.waitUntil(async () => 'new-menu' in (await read()));
    expect(await read()).toEqual({ 'new-menu': false });

    const { port } = backend.server.address() as AddressInfo;
    const stream = await fetch(`http://127.0.0.1:${port}${PATH}/changes`, {
      headers: { authorization: ADA },
    });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const events = stream.body!.pipeThrough(new TextDecoderStream());
    const reader = events.getReader();
    expect((await reader.read()).value).toMatch(
      /^data: \{"changes":\d+\}\n\n$/,
    );
    service.turn(true);
    expect((await reader.read()).value).toMatch(/^data: /);
    expect(await read()).toEqual({ 'new-menu': true });
    expect(
      await read(mockCredentials.user.header('user:default/grace')),
    ).toEqual({ 'new-menu': false });
    expect([...service.tokens]).toEqual(['*:development.a-token']);
    await reader.cancel();
    await backend.stop();
    service.close();
  });

  it('are left out without a service, and are there for signed-in users alone', async () => {
    const { server } = await start();
    const ask = (path: string, authorization: string) =>
      request(server).get(path).set('authorization', authorization);
    const answer = await ask(`${PATH}?names=new-menu`, ADA);
    expect(answer.body).toEqual({ flags: {} });
    const service = mockCredentials.service.header();
    expect((await ask(`${PATH}?names=a`, service)).status).toBe(403);
    expect((await ask(`${PATH}/changes`, service)).status).toBe(403);
  });

  it.each([
    ['', 'names: must list'],
    ['?names=a,', 'names: each name'],
    [`?names=${'a'.repeat(101)}`, 'names: each name'],
    [
      `?names=${Array.from({ length: 101 }, (_, i) => i)}`,
      'names: must list at most',
    ],
  ])('are asked for by name: %s', async (query, message) => {
    const { server } = await start();
    const answer = await request(server)
      .get(PATH + query)
      .set('authorization', ADA);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(message);
  });

  it('are followed by so many pages and no more', async () => {
    const { server } = await start({
      url: 'http://127.0.0.1:1',
      token: 'x',
      mostPages: 0,
    });
    const answer = await request(server)
      .get(`${PATH}/changes`)
      .set('authorization', ADA);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '30']);
  });
});
