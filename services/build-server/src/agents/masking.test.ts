import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { startAgent, type TestAgent } from '../__testUtils__/startAgent.ts';
import { TRIGGER_TOKEN } from '../__testUtils__/startBuildServer.ts';

const SECRET = 'gh0st-token-7';
const HEX = Buffer.from(SECRET).toString('hex');

let bench: Bench;
let agent: TestAgent;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(async () => {
  await agent.stop();
  await bench.close();
});

it('masks what an agent has not, also between the parts that it sends', async () => {
  const client = await bench.start(
    [
      jobOf('echo ready; sleep 60', {
        steps: [
          {
            name: 'Run',
            run: 'echo ready; sleep 60',
            secrets: { TOKEN: 'deploy' },
          },
        ],
      }),
    ],
    {
      executors: 0,
      auth: {
        users: [
          {
            name: 'dev',
            key: TRIGGER_TOKEN,
            scopes: ['read', 'trigger', 'admin'],
          },
        ],
      },
      stepSecrets: { deploy: { value: SECRET, jobs: ['job'] } },
    },
  );
  agent = await startAgent(client);
  const build = await client.started(await client.trigger('job'));
  const before = await client.logHas(build, 'ready\n');
  const held = `session=${agent.session}&attempt=1`;
  const as = new BuildClient(client.url, `Bearer ${agent.token}`);

  /** Sends a text in parts, each from the offset that the server requests next. */
  const start = Buffer.byteLength(before);
  const send = async (text: string, bytes: number) => {
    let at = 0;
    for (let turns = 0; at < text.length && turns < 500; turns += 1) {
      const { body } = await as.send(
        'PUT',
        `/agent/builds/1/log?${held}&offset=${start + at}`,
        {
          body: text.slice(at, at + bytes),
          headers: { 'content-type': 'application/octet-stream' },
        },
      );
      at = body.end - start;
    }
    return (await client.log(build)).slice(before.length);
  };
  const text = `a ${SECRET} b ${HEX} c gh0st-token\n`;
  const hidden = `a ${'*'.repeat(SECRET.length)} b ${'*'.repeat(HEX.length)} c gh0st-token\n`;
  for (const bytes of [1_000, 20, 7, 1]) {
    expect([bytes, await send(text, bytes)]).toEqual([bytes, hidden]);
  }

  const json = { 'content-type': 'application/json' };
  const step = { name: `Run ${SECRET}`, startedAt: 1, finishedAt: 2 };
  const source = {
    ref: 'refs/heads/main',
    commits: [{ id: 'a'.repeat(40), message: `Add ${SECRET}`, author: HEX }],
  };
  const progress = await as.send('PUT', `/agent/builds/1/progress?${held}`, {
    body: JSON.stringify({
      steps: [{ ...step, state: 'running', message: `now ${SECRET}` }],
      source,
    }),
    headers: json,
  });
  expect(progress.status).toBe(204);
  const { text: running } = await client.get(`${build}api/json`);
  expect(running).toContain('now ****');
  expect(running).toContain('Add ****');
  expect(running).not.toContain(SECRET);
  expect(running).not.toContain(HEX);

  const outcome = await as.send('PUT', `/agent/builds/1/outcome?${held}`, {
    body: JSON.stringify({
      steps: [{ ...step, state: 'failed', message: `no ${SECRET}` }],
      result: 'FAILURE',
      reason: `Run failed: ${SECRET}`,
      tests: {
        total: 1,
        failed: 1,
        skipped: 0,
        failures: [{ suite: `a ${SECRET}`, name: SECRET, message: HEX }],
        cases: [
          {
            ...{ suite: `a ${SECRET}`, name: SECRET },
            ...{ outcome: 'failed', durationMs: 1 },
          },
        ],
      },
      source,
    }),
    headers: json,
  });
  expect(outcome.status).toBe(204);
  const { text: told } = await client.get(`${build}api/json`);
  expect(told).toContain('Run failed: ****');
  const { text: tests } = await client.get(`${build}tests`);
  expect(tests).toContain('a ****');
  for (const answer of [told, tests]) {
    expect(answer).not.toContain(SECRET);
    expect(answer).not.toContain(HEX);
  }
});
