import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import createKnex, { type Knex } from 'knex';
import type { DatabaseSection } from '../BenchDatabase.ts';
import { dateOf, type Organisation, userName } from '../Organisation.ts';
import type { BareOptions } from './BareProcess.ts';

const CONNECTIONS = 10;

/** Creates a table for the rows, in a database as durable as the service's. */
async function openRows(section: DatabaseSection): Promise<Knex> {
  const isSqlite = section.client === 'better-sqlite3';
  const knex = createKnex({
    ...section,
    useNullAsDefault: true,
    pool: { min: 0, max: isSqlite ? 1 : CONNECTIONS },
  });
  if (isSqlite) {
    await knex.raw('PRAGMA journal_mode = WAL');
    await knex.raw('PRAGMA synchronous = FULL');
  }
  await knex.schema.createTable('bench_rows', table => {
    table.string('id', 64).primary();
    table.text('body').notNullable();
  });
  return knex;
}

/** Number of days between joining and the first commit. */
const SETTLING_IN = 10;

/** Adds fakes of the portal's routes that the service calls: users and deliveries. */
function portalRoutes(
  app: FastifyInstance,
  { people, teams, firstDay }: Organisation,
): void {
  const users = Array.from({ length: people }, (_, index) => ({
    kind: 'User',
    metadata: {
      name: userName(index + 1),
      namespace: 'default',
      annotations: { 'slipway.dev/start-date': dateOf(firstDay - SETTLING_IN) },
    },
    spec: { memberOf: [`team-${((index + 1) % teams) + 1}`] },
  }));
  app.get('/api/catalog/entities/by-query', async () => ({
    items: users,
    pageInfo: {},
  }));
  app.get('/api/delivery-lake/dora-metrics', async () => ({
    metrics: {
      deploymentFrequency: { value: 12, samples: 52 },
      leadTimeForChanges: { value: 20, samples: 104 },
    },
  }));
}

// The baseline for the service: plain Fastify. Also acts as the portal that the service
// calls.

async function main(): Promise<void> {
  const { port, database, organisation }: BareOptions = JSON.parse(
    process.argv[2],
  );
  const rows = await openRows(database);
  const app = fastify();
  let answer: unknown;

  app.put('/answer', async ({ body }) => {
    answer = body;
    return {};
  });
  app.get('/answer', async () => answer);
  app.post('/rows', async ({ body }, reply) => {
    const id = randomUUID();
    await rows('bench_rows').insert({ id, body: JSON.stringify(body) });
    reply.code(201);
    return { id };
  });
  portalRoutes(app, organisation);
  app.addHook('onClose', () => rows.destroy());
  process.once('SIGTERM', () => void app.close());
  await app.listen({ host: '127.0.0.1', port });
}

void main();
