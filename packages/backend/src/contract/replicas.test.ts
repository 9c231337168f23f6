import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PostgresServer } from '@slipway/test-postgres';
import { Answer, ContractPortal } from './__testUtils__/ContractPortal';
import { expectLimitHeaders } from './__testUtils__/expectations';
import { externalAccess, TOKENS } from './__testUtils__/tokens';

// Two complete backends on one PostgreSQL, both handling the same requests at the same time.

const LAKE = '/delivery-lake';
const DAY_MS = 24 * 60 * 60_000;
const DEPLOYMENTS = 60;

const token = TOKENS.service;

let postgres: PostgresServer;
let portals: ContractPortal[] = [];
/** Number of log lines of each replica when both had started. */
let linesBefore: number[];

beforeAll(async () => {
  postgres = await PostgresServer.start();
  const configuration = {
    ...databaseOf(postgres),
    backend_auth_externalAccess: externalAccess,
    catalog_processingInterval: { seconds: 2 },
  };
  // Started one after another, like replicas, because Backstage's own plugins create their tables.
  const first = await ContractPortal.start(configuration);
  portals = [first];
  portals.push(await ContractPortal.start(configuration, { beside: first }));
  linesBefore = portals.map(({ log }) => log.length);
});

afterAll(async () => {
  // In reverse order, because the later portal reads files of the first.
  for (const portal of portals.toReversed()) {
    await portal.stop();
  }
  await postgres?.stop();
});

/** Configures PostgreSQL for both portals, with few connections per plugin. */
function databaseOf({ connectionString }: PostgresServer): object {
  const { hostname, port, username, password } = new URL(connectionString);
  return {
    backend_database_client: 'pg',
    backend_database_connection_host: hostname,
    backend_database_connection_port: Number(port),
    backend_database_connection_user: username,
    backend_database_connection_password: password,
    backend_database_knexConfig_pool: { min: 0, max: 3 },
  };
}

/** Sends a request to all portals at once. */
function everywhere(
  target: string,
  options: { method?: string; body?: unknown } = {},
): Promise<Answer[]> {
  return Promise.all(
    portals.map(portal => portal.ask(target, { token, ...options })),
  );
}

function statusesOf(answers: Answer[]): number[] {
  return answers.map(({ status }) => status).sort((a, b) => a - b);
}

/**
 * Writes a component to the directory that both portals read. The same name in another file
 * describes the same component again.
 */
function write(file: string, name: string): string {
  const entity = {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name },
    spec: { type: 'service', lifecycle: 'production', owner: 'payments' },
  };
  writeFileSync(path.join(portals[0].folder, file), JSON.stringify(entity));
  return file;
}

function register(portal: ContractPortal, target: string): Promise<Answer> {
  const body = { type: 'file', target };
  return portal.ask('/catalog/locations', { method: 'POST', token, body });
}

describe('two portals on one database', () => {
  it.each([1, 2, 3, 4, 5])(
    'register a location once, with concurrent requests (%i)',
    async n => {
      const target = write(`same-${n}.yaml`, `same-${n}`);
      const answers = await Promise.all(
        portals.map(portal => register(portal, target)),
      );
      expect(statusesOf(answers)).toEqual([201, 409]);
      for (const portal of portals) {
        expect((await register(portal, target)).status).toBe(409);
      }
    },
  );

  it.each([1, 2, 3, 4, 5])(
    'take an entity from one of two concurrent locations (%i)',
    async n => {
      const targets = portals.map((_, index) =>
        write(`rival-${n}-${index}.yaml`, `rival-${n}`),
      );
      const answers = await Promise.all(
        portals.map((portal, index) => register(portal, targets[index])),
      );
      expect(statusesOf(answers)).toEqual([201, 409]);
    },
  );

  it('show each entity once, on either', async () => {
    const filter = 'filter=spec.owner=payments,kind=component';
    await vi.waitFor(
      async () => {
        for (const { body } of await everywhere(
          `/catalog/entities?${filter}&fields=metadata.name`,
        )) {
          const names = (body as Array<{ metadata: { name: string } }>)
            .map(({ metadata }) => metadata.name)
            .filter(name => /^(same|rival)-/.test(name));
          expect(names.sort()).toEqual(
            ['rival', 'same'].flatMap(kind =>
              [1, 2, 3, 4, 5].map(n => `${kind}-${n}`),
            ),
          );
        }
      },
      { timeout: 60_000, interval: 500 },
    );
  });
});

it('two portals give a name to one of two concurrent workspaces', async () => {
  const answers = await everywhere('/ide-launcher/workspaces', {
    method: 'POST',
    body: { devfileUrl: `${portals[0].forge}/devfile.yaml`, name: 'twin' },
  });
  expect(statusesOf(answers)).toEqual([201, 409]);
  for (const { body } of await everywhere('/ide-launcher/workspaces')) {
    expect(body).toMatchObject({ total: 1, workspaces: [{ name: 'twin' }] });
  }
});

describe('concurrent deliveries to two portals', () => {
  // Days before today, so that nothing changes while the test runs.
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - 8 * DAY_MS;
  const minutes = (n: number) => new Date(start + n * 60_000).toISOString();
  const shaOf = (n: number) => (n + 1).toString(16).padStart(40, 'a');

  const deployments = Array.from({ length: DEPLOYMENTS }, (_, n) => ({
    id: `build-${n}`,
    service: `service-${n % 3}`,
    version: `1.${n}`,
    environment: 'prod',
    startedAt: minutes(60 + n * 10),
    finishedAt: minutes(65 + n * 10),
    repository: `shop/service-${n % 3}`,
    commit: { sha: shaOf(n) },
  }));
  const changes = deployments.map(({ repository, commit }, n) => ({
    repository,
    sha: commit.sha,
    committedAt: minutes(n * 10),
  }));
  const incidents = deployments.slice(0, 6).map(({ id, service }, n) => ({
    id: `INC-${n}`,
    service,
    title: 'It is down',
    startedAt: minutes(66 + n * 10),
    resolvedAt: minutes(76 + n * 10),
    deployment: id,
  }));

  it('are counted once', async () => {
    const kinds: Record<string, object[]> = { deployments, changes, incidents };
    const sums: Record<string, number> = {};
    await Promise.all(
      Object.entries(kinds).flatMap(([kind, items]) =>
        // Small batches, so that those of the portals interleave.
        inBatches(items, 10).map(async body => {
          const answers = await everywhere(`${LAKE}/${kind}`, {
            method: 'POST',
            body,
          });
          for (const answer of answers) {
            expect(answer).toMatchObject({
              status: 200,
              body: { rejected: 0, stale: 0 },
            });
            const { accepted } = answer.body as { accepted: number };
            sums[kind] = (sums[kind] ?? 0) + accepted;
          }
        }),
      ),
    );
    expect(sums).toEqual({ deployments: 60, changes: 60, incidents: 6 });
  });

  it('are in the history once, on either', async () => {
    for (const service of ['service-0', 'service-1', 'service-2']) {
      const [one, other] = await everywhere(
        `${LAKE}/deployment-history?service=${service}&limit=100`,
      );
      expect(one.body).toMatchObject({ total: DEPLOYMENTS / 3 });
      expect(other.body).toEqual(one.body);
      const { deployments: listed } = one.body as {
        deployments: Array<{ id: string }>;
      };
      expect(new Set(listed.map(({ id }) => id)).size).toBe(DEPLOYMENTS / 3);
    }
  });

  it('give the same metrics on either, while both derive', async () => {
    const from = minutes(0).slice(0, 10);
    const query = `startDate=${from}&endDate=${from}`;
    await vi.waitFor(
      async () => {
        for (const { body } of await everywhere(
          `${LAKE}/dora-metrics?${query}`,
        )) {
          expect(body).toMatchObject({
            metrics: {
              deploymentFrequency: { value: DEPLOYMENTS * 7, samples: 60 },
              // The first deployment of each service has no predecessor to compare it with.
              leadTimeForChanges: { samples: DEPLOYMENTS - 3 },
              changeFailureRate: { value: 10, samples: 60 },
            },
          });
        }
      },
      { timeout: 60_000, interval: 500 },
    );
    const [one, other] = await everywhere(`${LAKE}/dora-metrics?${query}`);
    expect(other.body).toEqual(one.body);
  });
});

it('each portal counts requests on its own without Redis', async () => {
  const left = async (portal: ContractPortal) =>
    expectLimitHeaders(
      await portal.ask('/catalog/entities?limit=1', { token: TOKENS.busy }),
    ).remaining;
  const [first, second] = portals;
  expect(await left(first)).toBe(999);
  expect(await left(first)).toBe(998);
  expect(await left(second)).toBe(999);
});

it('no portal has logged an error', () => {
  for (const [index, { log }] of portals.entries()) {
    const levels = log
      .slice(linesBefore[index])
      .map(line => ({ line, level: line.split(' ')[2] }));
    expect(levels.filter(({ level }) => level === 'info')).not.toEqual([]);
    expect(levels.filter(({ level }) => level === 'error')).toEqual([]);
  }
});

function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
