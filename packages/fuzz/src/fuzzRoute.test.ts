import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fuzzRoute, type Target } from './fuzzRoute.ts';
import type { Reading } from './platform/Probe.ts';
import type { Route } from './routes/Route.ts';

const route: Route = {
  method: 'POST',
  path: '/things',
  parameters: [],
  bodies: { 'application/json': { type: 'object' } },
  statuses: new Set([200]),
};

let server: Server;
let answer: { status: number; body: string; isPacked?: boolean };
let longestMs: number;

beforeEach(async () => {
  answer = { status: 200, body: '{}' };
  longestMs = 1;
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        ...(answer.isPacked && { 'content-encoding': 'gzip' }),
      });
      response.end(answer.isPacked ? gzipSync(answer.body) : answer.body);
    });
  });
  server.on('clientError', (_error, socket) => {
    socket.end(
      'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 12\r\n\r\n{"error":""}',
    );
  });
  server.on('checkExpectation', (_request, response) => response.end());
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

async function faultsOf(requests = 40): Promise<string[]> {
  const { port } = server.address() as AddressInfo;
  const probe = {
    read: async (): Promise<Reading> => ({ longestMs, rss: 0, used: 0 }),
  };
  const target = {
    part: 'things',
    process: { name: 'feedback', origin: `http://127.0.0.1:${port}`, probe },
    errors: { ours: ['error'] },
    secrets: ['hush'],
    credentials: [],
    known: {},
  } as unknown as Target;
  const { failures } = await fuzzRoute(route, target, { seed: 1, requests });
  return [...new Set(failures.flatMap(({ faults }) => faults))];
}

describe('fuzzRoute', () => {
  it('reports nothing for a route without errors', async () => {
    await expect(faultsOf(300)).resolves.toEqual([]);
  });

  it.each([
    [
      'a status that says whose fault it was',
      500,
      '{"error":"x"}',
      'status 500',
    ],
    [
      '503 that the description does not have',
      503,
      '{"error":"x"}',
      'status 503',
    ],
    [
      'an error of another format',
      404,
      '{"message":"x"}',
      'error 404 with the members message',
    ],
    ['a secret', 200, '{"token":"hush"}', 'leak: hush'],
    [
      'a stack',
      200,
      JSON.stringify('Oops\n    at handle (/srv/app.ts:1:2)'),
      'leak: \\n    at ',
    ],
    [
      'the words of a database',
      400,
      '{"error":"SQLITE_CONSTRAINT"}',
      'leak: SQLITE_',
    ],
  ])('finds %s', async (_, status, body, fault) => {
    answer = { status, body };
    await expect(faultsOf()).resolves.toContain(fault);
  });

  it('reads compressed responses', async () => {
    answer = { status: 400, body: '{"error":"bad"}', isPacked: true };
    expect(await faultsOf()).toEqual([]);
    answer = { status: 400, body: '{"error":"hush"}', isPacked: true };
    expect(await faultsOf()).toEqual(['leak: hush']);
  });

  it('finds requests that always block the event loop', async () => {
    longestMs = 400;
    await expect(faultsOf()).resolves.toEqual([
      'held the event loop for 400 ms',
    ]);
  });

  it('finds a server that is down', async () => {
    server.closeAllConnections();
    const { port } = server.address() as AddressInfo;
    await new Promise(resolve => server.close(resolve));
    server = createServer();
    const target = {
      part: 'things',
      process: {
        name: 'feedback',
        origin: `http://127.0.0.1:${port}`,
        probe: { read: async () => ({ longestMs: 0, rss: 0, used: 0 }) },
      },
      errors: { ours: ['error'] },
      secrets: [],
      credentials: [],
      known: {},
    } as unknown as Target;
    const { failures } = await fuzzRoute(route, target, {
      seed: 1,
      requests: 3,
    });
    expect(failures[0].faults).toEqual(['no answer: unreachable']);
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
});
