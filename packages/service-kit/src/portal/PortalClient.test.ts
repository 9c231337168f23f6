import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { PortalClient } from './PortalClient.ts';

let server: Server;
let client: PortalClient;
/** The statuses of the portal's responses, in order. */
let answers: number[];
/** True if the bodies of responses have no end. */
let isEndless: boolean;
let asked: { url?: string; authorization?: string; body: string }[];

beforeEach(async () => {
  asked = [];
  isEndless = false;
  server = createServer(async (request, response) => {
    const { url, headers } = request;
    const { authorization } = headers;
    asked.push({ url, authorization, body: await text(request) });
    const status = answers.shift() ?? 200;
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { location: '/elsewhere' });
    response.write('{"fine":true}');
    if (!isEndless) {
      response.end();
    }
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  client = new PortalClient({
    baseUrl: `http://127.0.0.1:${port}/`,
    token: 'service-token',
  });
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('sends its token', async () => {
  answers = [];
  expect(await client.get('/api/catalog/entities?a=b')).toEqual({ fine: true });
  await client.post('/api/notifications', { to: 'ada' });
  expect(asked).toEqual([
    {
      url: '/api/catalog/entities?a=b',
      authorization: 'Bearer service-token',
      body: '',
    },
    {
      url: '/api/notifications',
      authorization: 'Bearer service-token',
      body: '{"to":"ada"}',
    },
  ]);
});

it.each([0, 503])('retries after %s', async failure => {
  answers = [failure];
  expect(await client.get('/api/x')).toEqual({ fine: true });
  expect(asked).toHaveLength(2);
});

it('does not retry twice', async () => {
  answers = [503, 500];
  await expect(client.get('/api/x?secret=1')).rejects.toMatchObject({
    name: 'PortalAnswerError',
    status: 500,
    message: 'The portal answered 500 to /api/x',
  });
  expect(asked).toHaveLength(2);
});

it('does not retry client errors', async () => {
  answers = [403];
  await expect(client.post('/api/x', {})).rejects.toMatchObject({
    status: 403,
  });
  expect(asked).toHaveLength(1);
});

it('does not send its token elsewhere', async () => {
  answers = [302, 302];
  await expect(client.get('/api/x')).rejects.toThrow();
  expect(asked.map(({ url }) => url)).toEqual(['/api/x', '/api/x']);
});

it('does not wait longer for the end of an error', async () => {
  isEndless = true;
  answers = [403];
  const fetching = client.get('/api/x', { timeoutMs: 2_000 });
  await expect(fetching).rejects.toMatchObject({ status: 403 });
});
