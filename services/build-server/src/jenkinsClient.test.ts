import { EventEmitter, once } from 'node:events';
import Jenkins from 'jenkins';
import {
  HELLO,
  HELLO_PARAMETERS,
  startBuildServer,
  type TestServer,
  TRIGGER_TOKEN,
} from './__testUtils__/startBuildServer.ts';

// The published client with its defaults.

const SLOW = {
  name: 'slow',
  steps: [
    {
      name: 'Wait',
      run: 'for n in 1 2 3; do echo "line $n"; sleep 0.2; done; sleep 30',
    },
  ],
};

let server: TestServer;
let jenkins: Jenkins;

beforeAll(async () => {
  server = await startBuildServer({ jobs: [HELLO, HELLO_PARAMETERS, SLOW] });
  const { host } = new URL(server.url);
  jenkins = new Jenkins({ baseUrl: `http://dev:${TRIGGER_TOKEN}@${host}` });
});

afterAll(() => server.stop());

/** Reads a build's number as the client documents: it is known once the item has left the queue. */
async function numberOf(queueId: number): Promise<number> {
  return vi.waitFor(
    async () => {
      const { executable } = await jenkins.queue.item(queueId);
      if (!executable) {
        throw new Error('It waits');
      }
      return executable.number;
    },
    { timeout: 10_000, interval: 20 },
  );
}

/** Collects the output of a log stream until its end. */
async function readAll(stream: EventEmitter): Promise<string> {
  const parts: string[] = [];
  stream.on('data', part => parts.push(part));
  await once(stream, 'end');
  return parts.join('');
}

it('lists jobs and finds them by name', async () => {
  expect(await jenkins.info()).toMatchObject({ mode: 'NORMAL' });
  const jobs: { name: string }[] = await jenkins.job.list();
  expect(jobs.map(({ name }) => name)).toEqual([
    'hello',
    'hello-parameters',
    'slow',
  ]);
  expect(await jenkins.job.exists('hello')).toBe(true);
  expect(await jenkins.job.exists('none')).toBe(false);
});

it('builds, waits for the number, and streams the log', async () => {
  const queueId = await jenkins.job.build({
    name: 'hello-parameters',
    parameters: { BRANCH: 'main' },
  });
  expect(Number.isInteger(queueId)).toBe(true);
  const number = await numberOf(queueId);
  const log = await readAll(
    jenkins.build.logStream('hello-parameters', number, { delay: 50 }),
  );
  expect(log).toContain('main to dev');
  expect(log).toContain('Finished: SUCCESS');
  const build = await jenkins.build.get('hello-parameters', number);
  expect(build).toMatchObject({ number, result: 'SUCCESS', queueId });
  const job = await jenkins.job.get('hello-parameters');
  expect(job).toMatchObject({
    lastBuild: { number },
    color: 'blue',
    nextBuildNumber: number + 1,
  });
});

it('stops a build', async () => {
  const number = await numberOf(await jenkins.job.build('slow'));
  const log = readAll(jenkins.build.logStream('slow', number, { delay: 50 }));
  await jenkins.build.stop('slow', number);
  expect(await log).toContain('Finished: ABORTED');
  expect(await jenkins.build.get('slow', number)).toMatchObject({
    result: 'ABORTED',
  });
});

it('removes a build from the queue', async () => {
  const queueId = await jenkins.job.build({ name: 'hello', delay: '60sec' });
  const items: { id: number }[] = await jenkins.queue.list();
  expect(items.map(({ id }) => id)).toContain(queueId);
  await jenkins.queue.cancel(queueId);
  expect(await jenkins.queue.item(queueId)).toMatchObject({ cancelled: true });
});

it('reports the errors', async () => {
  await expect(jenkins.job.build('hello-parameters')).rejects.toThrow(
    'Parameter BRANCH is required',
  );
  await expect(jenkins.build.get('hello', 999)).rejects.toThrow(/not found/i);
});
