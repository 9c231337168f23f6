import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createTestDatabase,
  type ServiceProcess,
  startProcess,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { InMemStorageProvider, Unleash, UnleashEvents } from 'unleash-client';
import { destroySdk } from './__testUtils__/destroySdk.ts';
import {
  ADMIN_TOKEN,
  CLIENT_TOKEN,
} from './__testUtils__/startFeatureFlags.ts';

/** Number of kills; set `KILLS` for more. */
const KILLS = Number(process.env.KILLS ?? 2);
const KILL_EVERY_MS = 5_000;

type DatabaseSection = Awaited<ReturnType<typeof createTestDatabase>>['config'];

function startReplica(database: DatabaseSection): Promise<ServiceProcess> {
  return startProcess({
    module: new URL('service.ts', import.meta.url),
    name: 'featureFlags',
    config: {
      database,
      tokens: [
        { name: 'client', type: 'client', token: CLIENT_TOKEN },
        { name: 'admin', type: 'admin', token: ADMIN_TOKEN },
      ],
      rateLimit: { enabled: false },
      limits: { eventLoopDelay: 600_000 },
    },
  });
}

const FORWARDED = [
  'authorization',
  'content-type',
  'if-none-match',
  'unleash-client-spec',
];

/** Starts a round-robin load balancer; requests to a replica that is down get 502. */
async function startBalancer(
  replicas: readonly (ServiceProcess | undefined)[],
): Promise<{ server: Server; url: string }> {
  let turn = 0;
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    turn += 1;
    const alive = replicas.filter(each => each !== undefined);
    try {
      const upstream = await fetch(
        `${alive[turn % alive.length].url}${request.url}`,
        {
          method: request.method,
          headers: FORWARDED.flatMap((name): [string, string][] => {
            const value = request.headers[name];
            return typeof value === 'string' ? [[name, value]] : [];
          }),
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        },
      );
      const body = Buffer.from(await upstream.arrayBuffer());
      const etag = upstream.headers.get('etag');
      reply.writeHead(upstream.status, {
        'content-type': 'application/json',
        ...(etag && { etag }),
      });
      reply.end(upstream.status === 304 ? undefined : body);
    } catch {
      reply.writeHead(502).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

async function isTaken(
  url: string,
  method: string,
  path: string,
  body: object,
): Promise<boolean> {
  const response = await fetch(`${url}/api/admin${path}`, {
    method,
    headers: { authorization: ADMIN_TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.ok;
}

describe.runIf(testDatabaseClients().includes('postgres'))(
  'two replicas on PostgreSQL, one killed every 5 s',
  () => {
    it(
      'lose no write, and no SDK sees an older state after a newer one',
      async () => {
        const { config, dispose } = await createTestDatabase('postgres');
        const replicas: (ServiceProcess | undefined)[] = [
          await startReplica(config),
          await startReplica(config),
        ];
        const { server, url } = await startBalancer(replicas);
        const acknowledged = { number: 0, flags: new Set<string>() };
        expect(
          await isTaken(url, 'POST', '/features', { name: 'counter' }),
        ).toBe(true);
        let isOver = false;
        const repeat = async (work: (turn: number) => Promise<void>) => {
          for (let turn = 0; !isOver; turn += 1) {
            await work(turn);
          }
        };

        const seen: number[][] = [];
        const sdks = [0, 1, 2].map(index => {
          const sdk = new Unleash({
            url: `${url}/api`,
            appName: `sdk-${index}`,
            refreshInterval: 50,
            disableMetrics: true,
            storageProvider: new InMemStorageProvider(),
            customHeaders: { Authorization: CLIENT_TOKEN },
          });
          const numbers: number[] = [];
          seen.push(numbers);
          // Requests to a killed replica fail; SDKs retry them.
          sdk.on(UnleashEvents.Error, () => {});
          sdk.on(UnleashEvents.Changed, () => {
            const { description } = sdk.getFeatureToggleDefinition('counter')!;
            numbers.push(Number(description));
          });
          return sdk;
        });
        const load = [
          repeat(async () => {
            const next = acknowledged.number + 1;
            if (
              await isTaken(url, 'PATCH', '/features/counter', {
                description: String(next),
              })
            ) {
              acknowledged.number = next;
            }
            await sleep(5);
          }),
          ...[0, 1].map(worker =>
            repeat(async turn => {
              const name = `flag-${worker}-${turn}`;
              if (await isTaken(url, 'POST', '/features', { name })) {
                acknowledged.flags.add(name);
              }
              await sleep(20);
            }),
          ),
        ];
        for (let kill = 0; kill < KILLS; kill += 1) {
          await sleep(KILL_EVERY_MS);
          const victim = replicas[kill % 2]!;
          replicas[kill % 2] = undefined;
          await victim.end('SIGKILL');
          replicas[kill % 2] = await startReplica(config);
        }
        isOver = true;
        await Promise.all(load);
        await vi.waitFor(() =>
          seen.forEach(numbers =>
            expect(numbers.at(-1)).toBe(acknowledged.number),
          ),
        );
        sdks.forEach(destroySdk);

        for (const numbers of seen) {
          expect(numbers.length).toBeGreaterThan(20);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        }
        const response = await fetch(`${url}/api/admin/features`, {
          headers: { authorization: ADMIN_TOKEN },
        });
        const { features } = (await response.json()) as {
          features: { name: string; description: string }[];
        };
        const names = new Set(features.map(({ name }) => name));
        expect([...acknowledged.flags].filter(n => !names.has(n))).toEqual([]);
        expect(acknowledged.flags.size).toBeGreaterThan(50);
        expect(acknowledged.number).toBeGreaterThan(50);
        expect(features).toContainEqual(
          expect.objectContaining({
            name: 'counter',
            description: String(acknowledged.number),
          }),
        );

        server.closeAllConnections();
        server.close();
        await Promise.all(replicas.map(each => each?.end('SIGKILL')));
        await dispose();
      },
      240_000 + KILLS * 60_000,
    );
  },
);
