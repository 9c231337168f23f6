import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import fastify from 'fastify';

// The baseline for the service: plain Fastify that stores one durable row per event.

interface Event {
  event: string;
  distinct_id: string;
  properties: object;
}

async function main(): Promise<void> {
  const database = new Database(process.env.FILENAME!);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    'CREATE TABLE rows (id TEXT PRIMARY KEY, event TEXT, distinct_id TEXT, properties TEXT, at INTEGER)',
  );
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, ?, ?, ?)');
  const app = fastify();
  app.post<{ Body: Event }>('/rows', async ({ body }) => {
    const { event, distinct_id: user, properties } = body;
    insert.run(
      randomUUID(),
      event,
      user,
      JSON.stringify(properties),
      Date.now(),
    );
    return { status: 1 };
  });
  app.get('/rows', async () => ({}));
  process.once('SIGTERM', () => void app.close());
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}

void main();
