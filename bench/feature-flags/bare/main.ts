import { gzipSync } from 'node:zlib';
import fastify from 'fastify';

// What is measured beside the service: Fastify with nothing on it, and the same bytes.

async function main(): Promise<void> {
  const app = fastify({ bodyLimit: 10 * 1024 * 1024 });
  let plain = Buffer.alloc(0);
  let packed = Buffer.alloc(0);
  app.put('/answer', async ({ body }) => {
    plain = Buffer.from(JSON.stringify(body));
    packed = gzipSync(plain);
    return {};
  });
  app.get('/unchanged', async (_request, reply) => reply.code(304).send());
  app.get('/plain', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(plain),
  );
  app.get('/packed', async (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('content-encoding', 'gzip')
      .send(packed),
  );
  process.once('SIGTERM', () => void app.close());
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}

void main();
