import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import createKnex from 'knex';

// The baseline for the service: plain Fastify and knex, which store one row per submission
// and run the same two reads per list.

const PAGE = 20;

async function main(): Promise<void> {
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename: process.env.FILENAME! },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });
  await knex.raw('PRAGMA journal_mode = WAL');
  await knex.raw('PRAGMA synchronous = FULL');
  await knex.schema.createTable('rows', table => {
    table.string('id', 64).primary();
    table.integer('rating').notNullable();
    table.string('category', 64).notNullable();
    table.text('message').notNullable();
    table.bigInteger('created_at').notNullable();
    table.index(['created_at', 'id']);
  });
  const app = fastify();
  app.post<{
    Body: { rating: number; category: string; message: string };
  }>('/rows', async ({ body }, reply) => {
    const { rating, category, message } = body;
    const row = { id: randomUUID(), created_at: Date.now() };
    await knex('rows').insert({ ...row, rating, category, message });
    reply.code(201);
    return row;
  });
  app.get('/rows', async () => {
    const [rows, [{ total }]] = await Promise.all([
      knex('rows')
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(PAGE),
      knex('rows').count({ total: '*' }),
    ]);
    return { rows, total };
  });
  app.addHook('onClose', () => knex.destroy());
  process.once('SIGTERM', () => void app.close());
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}

void main();
