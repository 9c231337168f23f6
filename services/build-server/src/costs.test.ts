import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { BuildClient } from './__testUtils__/BuildClient.ts';
import {
  basic,
  HELLO,
  startBuildServer,
  type TestServer,
} from './__testUtils__/startBuildServer.ts';

/** Several times the usual duration, and a fraction of the former one. */
const LONGEST_MS = patient(1_000);

let server: TestServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** Returns the longest time that work blocks the event loop, in milliseconds. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

describe('no caller blocks the server', () => {
  it('with one parameter given 30,000 times', async () => {
    server = await startBuildServer();
    const client = new BuildClient(server.url);
    const parameter = Array.from({ length: 30_000 }, () => ({
      name: 'BRANCH',
      value: 'a',
    }));
    const longest = await longestBlock(async () => {
      const answer = await client.json(
        '/job/hello-parameters/buildWithParameters',
        { parameter },
      );
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: 'Parameter BRANCH is given more than once' },
      ]);
    });
    expect(longest).toBeLessThan(LONGEST_MS);
  });

  it('with a ref of 500,000 characters against a glob with stars', async () => {
    server = await startBuildServer({
      jobs: [
        {
          ...HELLO,
          webhook: { token: 'hello-webhook', refs: ['refs/heads/*a*b'] },
        },
      ],
    });
    const client = new BuildClient(server.url, null);
    const longest = await longestBlock(async () => {
      const { body } = await client.json(
        '/generic-webhook-trigger/invoke?token=test-webhook-token',
        { ref: `refs/heads/${'a'.repeat(500_000)}` },
      );
      expect(body.jobs.hello.triggered).toBe(false);
    });
    expect(longest).toBeLessThan(LONGEST_MS);
  });
});

it('a report of 20 MB is counted while other requests are served', async () => {
  const cases = '<testcase name="a"/>';
  server = await startBuildServer({
    jobs: [
      {
        name: 'job',
        junit: ['report.xml'],
        steps: [
          {
            name: 'Test',
            run: `{ printf '<testsuite>'
              yes '${cases}' | head -n 100000
              printf '<system-out>'; yes x | head -c 18000000
              printf '</system-out></testsuite>'; } > report.xml`,
          },
        ],
      },
    ],
  });
  const client = new BuildClient(server.url);
  const longest = await longestBlock(async () => {
    const building = client.build('job');
    let isOver = false;
    const over = building.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      expect((await client.get('/health')).status).toBe(200);
      await sleep(50);
    }
    expect(await over).toMatchObject({
      result: 'SUCCESS',
      tests: { total: 100_000, failed: 0 },
    });
  });
  expect(longest).toBeLessThan(LONGEST_MS);
});

it('the reports of a build are 100 MB at most', async () => {
  server = await startBuildServer({
    jobs: [
      {
        name: 'job',
        junit: ['*.xml'],
        steps: [
          {
            name: 'Test',
            run: 'truncate -s 20M 1.xml 2.xml 3.xml 4.xml 5.xml 6.xml',
          },
        ],
      },
    ],
  });
  expect(await new BuildClient(server.url).build('job')).toMatchObject({
    result: 'FAILURE',
    reason: 'The reports are larger than 104857600 bytes in total',
    tests: null,
  });
});

describe('a limit', () => {
  const start = async () => {
    server = await startBuildServer({
      config: {
        executors: 0,
        rateLimit: { enabled: true, perMinute: 1_000, anonymousPerMinute: 20 },
      },
    });
    return server.url;
  };

  it.each([
    ['Basic', (url: string) => new BuildClient(url, basic('dev', 'wrong'))],
    [
      'long Basic',
      (url: string) => new BuildClient(url, basic('dev', 'x'.repeat(8_000))),
    ],
    ['Bearer', (url: string) => new BuildClient(url, 'Bearer wrong')],
    ['no', (url: string) => new BuildClient(url, null)],
  ])(
    'counts requests with %s credential before all else',
    async (_what, of) => {
      const url = await start();
      const wrong = of(url);
      const large = 'x'.repeat(900_000);
      const statuses = [];
      for (let index = 0; index < 25; index += 1) {
        const answer = await wrong.json(
          '/job/hello-parameters/buildWithParameters',
          { parameter: [{ name: 'BRANCH', value: large }] },
        );
        statuses.push(answer.status);
      }
      // Never 400 or 413: the body is not read before authentication.
      expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
      expect(statuses.slice(20)).toEqual(Array(5).fill(429));
      // Callers with a credential have their own limit.
      expect((await new BuildClient(url).get('/api/json')).status).toBe(200);
    },
  );

  it('counts webhooks of unknown tokens before their bodies are read', async () => {
    const url = await start();
    const client = new BuildClient(url, null);
    const statuses = [];
    for (let index = 0; index < 25; index += 1) {
      const answer = await client.send(
        'POST',
        `/generic-webhook-trigger/invoke?token=guess-${index}`,
        {
          body: '['.repeat(900_000),
          headers: { 'content-type': 'application/json' },
        },
      );
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(20)).toEqual(Array(5).fill(429));
  });
});
