import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  shopConfig,
  shopKey,
  shopService,
} from '../__fixtures__/shopService.ts';
import type { Service } from '../index.ts';
import { startTestService } from '../testing/index.ts';

const MIB = 1024 * 1024;

let service: Service;
let url: string;

beforeAll(async () => {
  service = await startTestService(shopService(), {
    config: { ...shopConfig, rateLimit: { enabled: false } },
  });
  url = await service.start();
});

afterAll(() => service.stop());

/** Opens a connection and returns both ends. */
async function dial(): Promise<{ client: Socket; server: Socket }> {
  const accepted = once(service.app.server, 'connection');
  const { port } = service.app.server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [server] = await accepted;
  return { client, server };
}

const head = (headers: string[]) =>
  [
    'POST /api/orders HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');

describe('a body whose caller is refused', () => {
  it.each([
    ['is no larger than it says', [`Content-Length: ${50 * MIB}`]],
    ['comes without a length', ['Transfer-Encoding: chunked']],
  ])('is not read on where it %s', async (_when, headers) => {
    const { client, server } = await dial();
    client.on('error', () => {});
    const closed = once(server, 'close');
    client.write(head(headers));
    // Never reads the response, and never closes the connection.
    const chunk = Buffer.from(`${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`);
    for (let sent = 0; sent < 50; sent += 1) {
      client.write(chunk);
    }
    await closed;
    expect(server.bytesRead).toBeLessThan(2 * MIB);
    client.destroy();
  });

  it('gets a response, whether or not the caller reads before the end of the body', async () => {
    for (let time = 0; time < 10; time += 1) {
      const { client } = await dial();
      const answer = text(client);
      client.write(head([`Content-Length: ${MIB}`]));
      client.end(Buffer.alloc(MIB, 'x'));
      expect(await answer).toMatch(
        /^HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n/i,
      );
    }
    const refused = await fetch(`${url}/api/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(900_000),
    });
    expect(refused.status).toBe(401);
    expect((await refused.json()).error.code).toBe('UNAUTHENTICATED');
  });

  it('keeps the connection open if it is small', async () => {
    const { client } = await dial();
    const request = `${head(['Content-Length: 2'])}{}`;
    client.write(request);
    await once(client, 'data');
    client.end(request);
    expect(await text(client)).toMatch(/^HTTP\/1\.1 401 /);
  });
});

it('keeps the connection open after accepting a large body', async () => {
  const { client } = await dial();
  const body = JSON.stringify({ rating: 1, extra: 'x'.repeat(200_000) });
  const key = Object.entries(shopKey).map(pair => pair.join(': '));
  const request = `${head([...key, `Content-Length: ${body.length}`])}${body}`;
  client.write(request);
  const [first] = await once(client, 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 201 /);
  client.end(request);
  expect(await text(client)).toMatch(/^HTTP\/1\.1 201 /);
});

it('closes the connection after an upgrade request, so that malformed requests still get a response', async () => {
  const { client } = await dial();
  client.write(
    `${head(['Connection: upgrade', 'Upgrade: websocket', 'Content-Length: 2'])}{}`,
  );
  expect(await text(client)).toMatch(
    /^HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n/i,
  );
});
