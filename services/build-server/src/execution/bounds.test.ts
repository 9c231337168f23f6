import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

it('limits the size of a log', async () => {
  const client = await bench.start(
    [jobOf('yes 0123456789 | head -c 5000000')],
    {
      logs: { maxBytes: 100_000 },
    },
  );
  const build = await client.build('job');
  expect(build.result).toBe('SUCCESS');
  const log = await client.log('/job/job/1/');
  expect(log.length).toBeLessThan(101_000);
  expect(log).toContain('the rest of the output is left out');
  expect(log).toContain('Finished: SUCCESS');
});

it('limits concurrent builds', async () => {
  const counter = path.join(bench.scratch, 'running');
  // The first two wait for each other.
  const met = path.join(bench.scratch, 'met');
  const client = await bench.start(
    [
      jobOf(
        `touch ${counter}.$BUILD_NUMBER ${met}.$BUILD_NUMBER
        case $BUILD_NUMBER in [12]) until [ -e ${met}.1 ] && [ -e ${met}.2 ]; do sleep 0.05; done;; esac
        ls ${counter}.* | wc -l; sleep 0.3; rm ${counter}.$BUILD_NUMBER`,
        { concurrent: true },
      ),
    ],
    { executors: 2 },
  );
  const items = await Promise.all(
    Array.from({ length: 6 }, () => client.trigger('job')),
  );
  for (const item of items) {
    await client.ended(await client.started(item));
  }
  const logs = await Promise.all(
    items.map((_, index) => client.log(`/job/job/${index + 1}/`)),
  );
  const together = logs.map(log => Number(log.split('\n')[2]));
  expect(Math.max(...together)).toBe(2);
});

it('makes one build of triggers within the quiet period', async () => {
  const client = await bench.start([
    jobOf('true', { quietPeriodSeconds: 5, parameters: [{ name: 'A' }] }),
  ]);
  const one = await client.trigger('job', { A: '1' });
  expect(await client.trigger('job', { A: '1' })).toBe(one);
  const other = await client.trigger('job', { A: '2' });
  expect(other).not.toBe(one);
  const builds = [one, other].map(async item =>
    client.ended(await client.started(item)),
  );
  expect((await Promise.all(builds)).map(({ number }) => number)).toEqual([
    1, 2,
  ]);
});

it('runs builds of one group one after the other, of whichever job', async () => {
  const log = path.join(bench.scratch, 'log');
  const seen = path.join(bench.scratch, 'seen');
  const run = `echo begin >> ${log}; until [ -e ${seen} ]; do sleep 0.05; done; sleep 0.3; echo end >> ${log}`;
  const client = await bench.start(
    ['one', 'two', 'three'].map(name => ({
      ...jobOf(run, { concurrent: true, concurrency: { group: 'deploy' } }),
      name,
    })),
    { executors: 4 },
  );
  const items = [];
  for (const name of ['one', 'two', 'three', 'one']) {
    items.push(await client.trigger(name));
  }
  await client.started(items[0]);
  const { body } = await client.get(`${items[1]}api/json`);
  expect(body.why).toBe(
    'one #1, of the same concurrency group, is in progress',
  );
  await writeFile(seen, '');
  for (const item of items) {
    await client.ended(await client.started(item));
  }
  expect(await readFile(log, 'utf8')).toBe('begin\nend\n'.repeat(4));
});

it('cancels older builds for a newer one, if the job is configured so', async () => {
  const client = await bench.start([
    jobOf('sleep 30', {
      concurrency: { cancelRunning: true },
      parameters: [{ name: 'A' }],
    }),
  ]);
  const first = await client.started(await client.trigger('job'));
  const second = await client.trigger('job', { A: '1' });
  const third = await client.started(await client.trigger('job', { A: '2' }));
  expect(await client.ended(first)).toMatchObject({
    result: 'ABORTED',
    reason: expect.stringMatching(/^Stopped by build #[23], which is newer$/),
  });
  expect((await client.get('/job/job/2/api/json')).body).toMatchObject({
    result: 'ABORTED',
  });
  expect((await client.get(second)).status).toBe(200);
  await client.post(`${third}stop`);
  await client.ended(third);
});

it('cancels older builds for a newer one that another job has triggered', async () => {
  const client = await bench.start([
    jobOf('true', { name: 'library' }),
    jobOf('sleep 30', {
      after: [{ job: 'library' }],
      concurrency: { cancelRunning: true },
    }),
  ]);
  const started = (number: number) =>
    vi.waitFor(
      async () => {
        const { status } = await client.get(`/job/job/${number}/api/json`);
        expect(status).toBe(200);
      },
      { timeout: 20_000, interval: 50 },
    );
  await client.build('library');
  await started(1);
  await client.build('library');
  expect(await client.ended('/job/job/1/')).toMatchObject({
    result: 'ABORTED',
    reason: 'Stopped by build #2, which is newer',
  });
  await started(2);
  await client.post('/job/job/2/stop');
  await client.ended('/job/job/2/');
});
