import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mockCredentials, mockServices } from '@backstage/backend-test-utils';
import { PlatformClient } from './PlatformClient';

/** Serves the same error to every request. */
async function serve(status: number, body: string) {
  const server = createServer((_request, response) => {
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

const client = new PlatformClient({
  auth: mockServices.auth(),
  discovery: mockServices.discovery(),
  credentials: mockCredentials.user('user:default/ada'),
});

it.each([
  [{ error: { name: 'InputError', message: 'No service' } }, 'No service'],
  [{ error: 'No team' }, 'No team'],
  [{ name: 'BadDataError', message: 'No name' }, 'No name'],
  [{ type: 'validation_error', detail: 'No event' }, 'No event'],
  [[1, 2], '[1,2]'],
])('tells what a part says about its error: %j', async (body, message) => {
  await using part = await serve(400, JSON.stringify(body));
  await expect(
    client.direct(part.address, { method: 'POST', path: '/things' }),
  ).rejects.toThrow(`POST /things returned 400: ${message}`);
});

it('says that a part is not responding', async () => {
  const { address, [Symbol.asyncDispose]: stop } = await serve(200, '');
  await stop();
  await expect(
    client.direct(address, { method: 'GET', path: '/things' }),
  ).rejects.toThrow(`${address} is not responding`);
});
