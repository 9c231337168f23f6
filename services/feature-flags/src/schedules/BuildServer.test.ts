import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BuildServer } from './BuildServer.ts';

/** The status of the next responses. */
let status = 200;
let connections = 0;
const requested: string[] = [];
const server = createServer((request, response) => {
  requested.push(request.url ?? '');
  response.writeHead(status, { 'content-type': 'application/json' });
  if (status >= 400) {
    // With a body as large as this, a connection is only reused once the body has been read.
    response.end('x'.repeat(100_000));
    return;
  }
  const build = { result: 'FAILURE', timestamp: 1_000, duration: 500 };
  response.end(
    JSON.stringify({ builds: [build, { ...build, result: 'SUCCESS' }] }),
  );
});
server.on('connection', () => {
  connections += 1;
});
let builds: BuildServer;

beforeAll(async () => {
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  builds = new BuildServer({
    url: `http://127.0.0.1:${port}/`,
    user: 'flags',
    key: 'k',
  });
});

beforeEach(() => {
  requested.length = 0;
  connections = 0;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('counts the failures since a time', async () => {
  status = 200;
  expect(await builds.countFailures('shop/main', 1_500)).toBe(1);
  expect(await builds.countFailures('shop/main', 1_501)).toBe(0);
  expect(requested[0]).toMatch(/^\/job\/shop\/job\/main\/api\/json\?tree=/);
});

it('knows nothing of a job that does not exist', async () => {
  status = 404;
  expect(await builds.countFailures('shop', 0)).toBeUndefined();
  expect(requested).toHaveLength(1);
});

it('retries once after an error of the server, over the same connection', async () => {
  status = 503;
  await expect(builds.countFailures('shop', 0)).rejects.toThrow('503');
  await expect(builds.countFailures('shop', 0)).rejects.toThrow('503');
  expect(requested).toHaveLength(4);
  expect(connections).toBeLessThan(3);
});
