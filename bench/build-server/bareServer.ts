import Database from 'better-sqlite3';
import fastify from 'fastify';

// The baseline for the build server: plain Fastify that stores one durable row per
// trigger.

const [port, filename] = process.argv.slice(2);

async function main(): Promise<void> {
  const database = new Database(filename);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE builds (id INTEGER PRIMARY KEY, body TEXT)');
  const insert = database.prepare('INSERT INTO builds (body) VALUES (?)');
  const app = fastify();
  app.get('/ready', async () => ({}));
  app.post('/builds', async ({ body, host }, reply) => {
    const { lastInsertRowid } = insert.run(JSON.stringify(body));
    const location = `http://${host}/builds/${lastInsertRowid}/`;
    return reply.code(201).header('location', location).send({ location });
  });
  process.once('SIGTERM', () => void app.close());
  await app.listen({ host: '127.0.0.1', port: Number(port) });
}

void main();
