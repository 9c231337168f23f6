import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { BARE_OPTIONS, type BareOptions } from './BareOptions.ts';
import { openRows } from './openRows.ts';
import { portalRoutes } from './portalRoutes.ts';

// What is measured beside the service: Fastify with nothing on it. It also answers
// for the portal, so that the service has whom to ask.

async function main(): Promise<void> {
  const { port, database, organisation }: BareOptions = JSON.parse(
    process.env[BARE_OPTIONS] ?? '',
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
