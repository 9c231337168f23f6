import { setTimeout as delay } from 'node:timers/promises';
import {
  shopConfig,
  shopKey,
  shopService,
} from '../__fixtures__/shopService.ts';
import { startTestService } from '../testing/index.ts';
import { createLogger } from './createLogger.ts';

function capture(format: 'json' | 'text') {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'shop',
    config: { level: 'info', format },
    destination: { write: line => lines.push(line) },
  });
  return { lines, logger };
}

it('writes one line per request, with its route and id and without secrets', async () => {
  const { lines, logger } = capture('json');
  const service = await startTestService(shopService(), {
    config: shopConfig,
    logger,
  });
  lines.length = 0;
  await service.app.inject({
    url: '/api/orders?page=2&token=hunter2&sig=hunter4&state=hunter5',
    headers: { ...shopKey, 'x-request-id': 'id-1', cookie: 'a=hunter3' },
  });
  await service.app.inject('/health');
  await service.app.inject('/metrics');
  expect(lines.map(line => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'info',
      service: 'shop',
      reqId: 'id-1',
      method: 'GET',
      route: '/api/orders',
      url: '/api/orders?page=2&token=%5Bredacted%5D&sig=%5Bredacted%5D&state=%5Bredacted%5D',
      status: 200,
      ms: expect.any(Number),
      caller: 'key:till',
    }),
  ]);
  expect(lines.join()).not.toMatch(/hunter|the-key/);
  await service.stop();
});

describe('a route for machines', () => {
  it('writes a line only for requests that fail or are slow', async () => {
    const { lines, logger } = capture('json');
    const service = await startTestService(
      shopService({
        extend({ app, auth }) {
          const config = { access: auth.apiKey(), forMachines: true };
          app.get('/poll/:ms', { config }, async ({ params }) => {
            await delay(Number((params as { ms: string }).ms));
            return { polled: true };
          });
        },
      }),
      { config: shopConfig, logger },
    );
    lines.length = 0;
    const poll = (ms: number, headers = {}) =>
      service.app.inject({ url: `/poll/${ms}`, headers });
    const { headers } = await poll(0, shopKey);
    await poll(0);
    await poll(1_010, shopKey);
    const logged = lines.map(line => JSON.parse(line));
    expect(logged).toContainEqual(
      expect.objectContaining({ url: '/poll/0', status: 401 }),
    );
    expect(logged).toContainEqual(
      expect.objectContaining({ url: '/poll/1010', status: 200 }),
    );
    // A busy machine may make any request slow.
    expect(
      logged.filter(({ status, ms }) => status === 200 && ms < 1_000),
    ).toEqual([]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBeUndefined();
    const { body } = await service.app.inject('/metrics');
    expect(body).toContain(
      'http_request_duration_seconds_count{method="GET",route="/poll/:ms",status="200"} 2',
    );
    await service.stop();
  });
});

it('writes a line for a request that its caller aborts', async () => {
  const { lines, logger } = capture('json');
  let isBegun = false;
  const service = await startTestService(
    shopService({
      extend({ app, auth }) {
        app.get('/endless', { config: { access: auth.anyone } }, () => {
          isBegun = true;
          return new Promise(() => undefined);
        });
      },
    }),
    { logger },
  );
  const url = await service.start();
  const abort = new AbortController();
  const response = fetch(`${url}/endless?token=hunter2`, {
    signal: abort.signal,
  });
  await vi.waitFor(() => expect(isBegun).toBe(true));
  abort.abort();
  await expect(response).rejects.toThrow('aborted');
  await vi.waitFor(() =>
    expect(lines.map(line => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        msg: 'request aborted by its caller',
        method: 'GET',
        url: '/endless?token=%5Bredacted%5D',
        reqId: expect.any(String),
      }),
    ),
  );
  await service.stop();
});

it.each([`/api/orders/${'x'.repeat(2_000)}`, '/api/orders/%zz'])(
  'writes a line for %s, which no route can take',
  async url => {
    const { lines, logger } = capture('json');
    const service = await startTestService(shopService(), { logger });
    lines.length = 0;
    await service.app.inject(url);
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { method: 'GET', route: '/api/orders/:id' },
    ]);
    await service.stop();
  },
);

it('logs what a 500 hides, under the id of the request', async () => {
  const { lines, logger } = capture('json');
  const service = await startTestService(shopService(), { logger });
  await service.app.inject({
    url: '/api/stock',
    headers: { 'x-request-id': 'id-2' },
  });
  const error = lines.map(line => JSON.parse(line)).find(each => each.err);
  expect(error).toMatchObject({ level: 'error', reqId: 'id-2' });
  expect(error.err.message).toContain('no_such_table');
  await service.stop();
});

it('redacts secrets by name', () => {
  const { lines, logger } = capture('json');
  logger.info({ headers: { authorization: 'Bearer x', 'x-api-key': 'x' } });
  logger.info({ req: { headers: { cookie: 'x' } }, webhook: { secret: 'x' } });
  logger.info({ token: 'x', password: 'x' });
  expect(lines.join()).not.toMatch(/"(Bearer )?x"/);
  expect(lines.join().match(/\[redacted\]/g)).toHaveLength(6);
});

it('writes readable lines in development', () => {
  const { lines, logger } = capture('text');
  logger.info({ status: 200, note: 'two words' }, 'request');
  logger.error({ err: new Error('Broken') }, 'Failed');
  expect(lines[0]).toMatch(/^\S+Z info request status=200 note="two words"\n$/);
  expect(lines[1]).toMatch(/error Failed.*\n.*Error: Broken\n +at /);
});
