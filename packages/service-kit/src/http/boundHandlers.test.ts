import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { shopService } from '../__fixtures__/shopService.ts';
import { fakeLogger } from '../testing/fakeLogger.ts';
import { startTestService } from '../testing/index.ts';

it('responds with 503 for a slow handler, and aborts a response that has started', async () => {
  const service = await startTestService(
    shopService({
      extend({ app, auth }) {
        const config = { access: auth.anyone };
        app.get('/slow/:ms', { config }, async ({ params }) => {
          await delay(Number((params as { ms: string }).ms));
          return { answer: 'at last' };
        });
        app.get('/endless', { config }, async (_request, reply) => {
          reply.raw.writeHead(200);
          reply.raw.write('begun');
          await delay(3_000);
          return reply;
        });
      },
    }),
    { config: { limits: { handlerTimeout: 1_000 } } },
  );
  const url = await service.start();
  const statusOf = async (path: string) => {
    const response = await fetch(`${url}${path}`);
    return [response.status, await response.json()];
  };

  expect(await statusOf('/slow/10')).toEqual([200, { answer: 'at last' }]);
  const [status, body] = await statusOf('/slow/3000');
  expect(status).toBe(503);
  expect(body).toMatchObject({ error: { code: 'UNAVAILABLE' }, status: 503 });
  await expect(
    fetch(`${url}/endless`).then(response => response.text()),
  ).rejects.toThrow('terminated');
  // The late handlers' results are discarded.
  await delay(2_500);
  expect((await statusOf('/slow/10'))[0]).toBe(200);
  await service.stop();
});

it('lets a stream take longer than its handler may', async () => {
  const service = await startTestService(
    shopService({
      extend({ app, auth }) {
        app.get(
          '/stream',
          { config: { access: auth.anyone } },
          (_request, reply) =>
            reply
              .type('text/plain')
              .send(Readable.from(slowly('one ', 'two ', 'three'))),
        );
      },
    }),
    { config: { limits: { handlerTimeout: 200 } } },
  );
  const response = await fetch(`${await service.start()}/stream`);
  expect(await response.text()).toBe('one two three');
  await service.stop();
});

it('ends a stream whose caller has stopped reading, and logs it', async () => {
  let isClosed = false;
  const { logger, lines } = fakeLogger();
  const service = await startTestService(
    shopService({
      extend({ app, auth }) {
        app.get(
          '/stream',
          { config: { access: auth.anyone } },
          (_request, reply) => {
            const stream = Readable.from(endlessly());
            stream.once('close', () => {
              isClosed = true;
            });
            return reply.type('text/plain').send(stream);
          },
        );
      },
    }),
    { config: { limits: { handlerTimeout: 3_000 } }, logger },
  );
  const { port } = new URL(await service.start());
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write('GET /stream HTTP/1.1\r\nhost: localhost\r\n\r\n');
  socket.on('data', () => {});
  await delay(600);
  expect(isClosed).toBe(false);
  socket.pause();
  await vi.waitFor(() => expect(isClosed).toBe(true), 20_000);
  socket.destroy();
  await vi.waitFor(() =>
    expect(lines).toContainEqual({ method: 'GET', url: '/stream' }),
  );
  await service.stop();
});

async function* endlessly() {
  for (;;) {
    yield 'a'.repeat(64 * 1024);
    await delay(1);
  }
}

async function* slowly(...parts: string[]) {
  for (const part of parts) {
    yield part;
    await delay(250);
  }
}
