import { testDatabaseClients } from '@slipway/service-kit/testing';
import { Bench } from '../__testUtils__/Bench.ts';
import type { BuildClient } from '../__testUtils__/BuildClient.ts';
import { type Contract, openContract } from '../__testUtils__/openContract.ts';

describe.each(testDatabaseClients())('a build on %s', databaseClient => {
  let contract: Contract;
  let dev: BuildClient;
  let viewer: BuildClient;

  beforeAll(async () => {
    contract = await openContract(databaseClient);
    ({ dev, viewer } = contract);
  });

  afterAll(() => contract.close());

  it('is 404 as lastBuild of a job that was never built', async () => {
    const answer = await dev.get('/job/choosy/lastBuild/api/json');
    expect([answer.status, answer.body]).toEqual([
      404,
      { message: 'choosy has no lastBuild' },
    ]);
  });

  it('is building, then stopped by hand', async () => {
    const build = await dev.started(await dev.trigger('slow'));
    const running = await dev.get('/job/slow/lastBuild/api/json');
    expect(running.body).toMatchObject({
      building: true,
      result: null,
      duration: 0,
      number: expect.any(Number),
      timestamp: expect.any(Number),
      url: contract.server.url + build,
    });
    await dev.logHas(build, 'waiting\n');
    expect((await viewer.post(`${build}stop`)).status).toBe(403);
    const stopped = await dev.post(`${build}stop`);
    expect(stopped.status).toBe(302);
    const target = new URL(stopped.headers.get('location')!).pathname;
    expect((await dev.get(target)).status).toBe(200);
    const ended = await dev.ended(build);
    expect(ended).toMatchObject({
      result: 'ABORTED',
      building: false,
      reason: 'Stopped by token:dev',
    });
    expect(ended.duration).toBeGreaterThan(0);
    // Stopping again changes nothing.
    expect((await dev.post(`${build}stop`)).status).toBe(302);
  });

  it('of a serial job waits for the one before', async () => {
    const first = await dev.started(await dev.trigger('slow'));
    const second = await dev.trigger('slow');
    const { body } = await dev.get(second);
    expect(body).toMatchObject({
      blocked: true,
      why: expect.stringMatching(/^Build #\d+ is already in progress$/),
    });
    await dev.post(`${first}stop`);
    const build = await dev.started(second);
    expect((await dev.ended(first)).result).toBe('ABORTED');
    await dev.post(`${build}stop`);
    await dev.ended(build);
  });

  it('streams its log', async () => {
    const build = await dev.started(await dev.trigger('slow'));
    await dev.logHas(build, 'waiting\n');
    const path = `${build}logText/progressiveText`;
    const first = await dev.get(path);
    expect(first.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(first.headers.get('x-more-data')).toBe('true');
    const size = Number(first.headers.get('x-text-size'));
    expect(size).toBe(Buffer.byteLength(first.text));
    const rest = await dev.form(path, { start: String(size) });
    expect([rest.text, rest.headers.get('x-text-size')]).toEqual([
      '',
      String(size),
    ]);
    const over = await dev.get(`${path}?start=${size + 1}`);
    expect(over.text).toBe(first.text);
    await dev.post(`${build}stop`);
    await dev.ended(build);
    const last = await dev.get(`${path}?start=${size}`);
    expect(last.headers.get('x-more-data')).toBeNull();
    expect(last.text).toContain('Finished: ABORTED');
    const json = await dev.get(`${build}log?start=${size}`);
    expect(json.body).toEqual({
      text: last.text,
      end: size + Buffer.byteLength(last.text),
      more: false,
    });
  });
});

it('is found under the longest name of a branch', async () => {
  const bench = await Bench.open();
  const name = `shop/${'b'.repeat(295)}`;
  const client = await bench.start(
    [
      {
        name: 'shop',
        source: { repository: 'https://forge.example.org/shop.git' },
        pipelines: {},
        webhook: { token: 'hello-webhook' },
      } as never,
    ],
    { executors: 0 },
  );
  const pushed = await client.json(
    '/generic-webhook-trigger/invoke?token=test-webhook-token',
    { ref: `refs/heads/${'b'.repeat(295)}`, after: 'a'.repeat(40) },
  );
  expect(pushed.body.jobs.shop).toMatchObject({ triggered: true });
  const job = `/job/${encodeURIComponent(name)}`;
  const answers = [
    await client.get(`${job}/api/json`),
    await client.get(`${job}/1/api/json`),
    await client.post(`${job}/build`),
  ];
  await bench.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 201]);
});
