import { type AgentClaim, ServerLink } from '../agent/ServerLink.ts';
import type { Job } from '../jobs/Job.ts';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  invite,
  startAgent,
  type TestAgent,
} from '../__testUtils__/startAgent.ts';
import { basic, TRIGGER_TOKEN } from '../__testUtils__/startBuildServer.ts';

const ADMIN = { name: 'admin', key: 'test-admin-token', scopes: ['admin'] };

let bench: Bench;
let agents: TestAgent[];
let admin: BuildClient;

beforeEach(async () => {
  bench = await Bench.open();
  agents = [];
});

afterEach(async () => {
  for (const agent of agents) {
    await agent.stop();
  }
  await bench.close();
});

/** A server that runs nothing itself. @returns a client that may trigger. */
async function serve(
  jobs: readonly Job[],
  config: Record<string, unknown> = {},
): Promise<BuildClient> {
  const client = await bench.start(jobs, {
    executors: 0,
    auth: {
      users: [
        {
          name: 'dev',
          key: TRIGGER_TOKEN,
          scopes: ['read', 'trigger', 'admin'],
        },
        ADMIN,
        { name: 'viewer', key: 'test-viewer-token' },
      ],
    },
    ...config,
  });
  admin = new BuildClient(client.url, basic('admin', ADMIN.key));
  return client;
}

async function enlist(
  options: Parameters<typeof startAgent>[1] = {},
): Promise<TestAgent> {
  const agent = await startAgent(admin, options);
  agents.push(agent);
  return agent;
}

const agentRequest = (
  client: BuildClient,
  { token }: TestAgent,
  method: string,
  path: string,
  body: object = {},
) =>
  new BuildClient(client.url, `Bearer ${token}`).send(method, path, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

it('runs builds of the server, with log, steps, artifacts and masked secrets', async () => {
  const client = await serve(
    [
      {
        name: 'job',
        steps: [
          {
            name: 'Make',
            run: 'seq 50000; echo "token: $TOKEN"; mkdir out; printf one > "out/a ü.txt"',
            secrets: { TOKEN: 'deploy' },
          },
          { name: 'Look', run: 'echo "[${TOKEN-none}]"' },
        ],
        artifacts: ['out/*'],
      },
    ],
    { stepSecrets: { deploy: { value: 'gh0st-token-7', jobs: ['job'] } } },
  );
  await enlist();
  const build = await client.build('job');
  expect(build).toMatchObject({
    result: 'SUCCESS',
    steps: [{ state: 'done' }, { state: 'done' }],
    artifacts: [{ relativePath: 'out/a ü.txt', size: 3 }],
    builtOn: 'agent-1',
  });
  const log = await client.log('/job/job/1/');
  const numbers = log.split('\n').filter(line => /^\d+$/.test(line));
  expect(numbers).toEqual(Array.from({ length: 50_000 }, (_, n) => `${n + 1}`));
  expect(log).toContain('token: ****\n==> Look\n[none]\nFinished: SUCCESS\n');
  const file = await client.get(
    `/job/job/1/artifact/${encodeURIComponent('out/a ü.txt')}`,
  );
  expect([file.status, file.text]).toEqual([200, 'one']);
});

it('ends a build whose outcome is too large to be reported', async () => {
  const client = await serve([
    jobOf(
      `n=$(printf 'n%.0s' $(seq 950))
      echo '<testsuite>' > t.xml
      for i in $(seq 3500); do echo "<testcase name='$i$n$n' classname='$n'/>"; done >> t.xml
      echo '</testsuite>' >> t.xml`,
      { junit: ['t.xml'] },
    ),
  ]);
  await enlist();
  expect(await client.build('job')).toMatchObject({
    result: 'FAILURE',
    reason: 'The outcome was refused: The request body is too large',
    steps: [{ state: 'done' }],
  });
});

it('gives builds the variables of the agent, which their job may replace', async () => {
  const client = await serve([
    jobOf('echo "[$PROXY] [$REGION]"', { environment: { REGION: 'north' } }),
  ]);
  await enlist({ environment: { PROXY: 'http://proxy', REGION: 'south' } });
  await client.build('job');
  expect(await client.log('/job/job/1/')).toContain('[http://proxy] [north]\n');
});

/** A link that loses the first response to an acceptance. */
class LossyLink extends ServerLink {
  #hasLost = false;

  override async accept(claim: AgentClaim): Promise<void> {
    await super.accept(claim);
    if (!this.#hasLost) {
      this.#hasLost = true;
      throw new TypeError('fetch failed');
    }
  }
}

it('runs a build although the answer to its acceptance was lost', async () => {
  const client = await serve([jobOf('true')]);
  await enlist({ Link: LossyLink });
  expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
});

it('stops a build that runs elsewhere', async () => {
  const client = await serve([jobOf('echo ready; sleep 60')]);
  await enlist();
  const build = await client.started(await client.trigger('job'));
  await client.logHas(build, 'ready');
  await client.post(`${build}stop`);
  expect(await client.ended(build)).toMatchObject({ result: 'ABORTED' });
});

it('assigns a build only to an agent with its labels', async () => {
  const client = await serve([jobOf('true', { runsOn: ['gpu'] })]);
  await enlist();
  const item = await client.trigger('job');
  await new Promise(resolve => {
    setTimeout(resolve, 1_200);
  });
  await vi.waitFor(async () => {
    const waiting = await client.get(`${item}api/json`);
    expect(waiting.body).toMatchObject({
      executable: null,
      stuck: true,
      why: 'Nothing that is connected has the labels gpu',
    });
  });
  const { body: queue } = await client.get('/queue/api/json');
  expect(queue.items).toMatchObject([{ id: 1, position: 1, stuck: true }]);
  await enlist({ name: 'agent-2', labels: ['gpu'] });
  const build = await client.ended(await client.started(item));
  expect(build).toMatchObject({ result: 'SUCCESS', builtOn: 'agent-2' });
  const { body } = await admin.get('/agents');
  const { id } = body.agents.find(
    ({ name }: { name: string }) => name === 'agent-2',
  );
  await admin.post(`/agents/${id}/drain`);
  const next = await client.trigger('job');
  expect((await client.get(`${next}api/json`)).body).toMatchObject({
    stuck: true,
    why: 'The agents with the labels gpu are draining',
  });
});

it('drains: finishes running builds, accepts no new ones, and continues when resumed', async () => {
  const client = await serve([jobOf('true')]);
  const { id } = await enlist();
  expect((await admin.post(`/agents/${id}/drain`)).status).toBe(204);
  const item = await client.trigger('job');
  await new Promise(resolve => {
    setTimeout(resolve, 1_200);
  });
  expect((await client.get(`${item}api/json`)).body.executable).toBeNull();
  expect((await admin.get('/agents')).body.agents).toMatchObject([
    { name: 'agent-1', state: 'draining', connected: true, running: [] },
  ]);
  expect((await admin.post(`/agents/${id}/resume`)).status).toBe(204);
  await client.ended(await client.started(item));
});

it('disconnects a removed agent and stops its builds', async () => {
  const client = await serve([jobOf('echo ready; sleep 60')], {
    agents: { leaseSeconds: 30 },
  });
  const { id, running } = await enlist();
  const build = await client.started(await client.trigger('job'));
  await client.logHas(build, 'ready');
  expect((await admin.send('DELETE', `/agents/${id}`)).status).toBe(204);
  await expect(running).rejects.toThrow('The agent was removed');
  expect((await admin.get('/agents')).body.agents).toEqual([]);
});

describe('a restarted agent', () => {
  it.each([
    [undefined, { result: 'ABORTED' }, 1],
    [1, { result: 'SUCCESS' }, 2],
  ])(
    'loses what it ran, which begins again %s times',
    async (retryLostAgent, expected, times) => {
      const client = await serve([
        jobOf(
          `echo start >> ${bench.scratch}/starts; test $(wc -l < ${bench.scratch}/starts) = 2 || { echo ready; sleep 60; }`,
          { ...(retryLostAgent && { retryLostAgent }) },
        ),
      ]);
      const first = await enlist();
      const build = await client.started(await client.trigger('job'));
      await client.logHas(build, 'ready');
      const session = await agentRequest(
        client,
        first,
        'POST',
        '/agent/session',
        {
          session: 'abcdef0123456789',
          protocol: 1,
          capacity: 1,
          version: 'test',
          executor: { kind: 'none', limits: null, gaps: [] },
        },
      );
      expect(session.status).toBe(200);
      await enlist({ name: 'agent-2' });
      await client.started(build.replace(/^.*$/, '/queue/item/1/'));
      expect(await client.ended(build)).toMatchObject(expected);
      const log = await client.log(build);
      expect(log.match(/^ready$/gm)?.length).toBe(1);
      expect(log).toContain('The agent agent-1 was started anew');
      expect(log.match(/Finished: /g)?.length).toBe(1);
      expect(log.match(/^Triggered by /gm)?.length).toBe(times);
    },
  );
});

describe('what an agent writes', () => {
  it('counts while the build is its own, at the place where it belongs', async () => {
    const client = await serve([jobOf('echo ready; sleep 60')]);
    const agent = await enlist();
    const build = await client.started(await client.trigger('job'));
    const before = await client.logHas(build, 'ready');
    const put = (query: string, part: string) =>
      new BuildClient(client.url, `Bearer ${agent.token}`).send(
        'PUT',
        `/agent/builds/1/log?${query}`,
        {
          body: part,
          headers: { 'content-type': 'application/octet-stream' },
        },
      );
    const other = 'session=0000000000000000&attempt=1';
    expect((await put(`${other}&offset=0`, 'forged')).status).toBe(409);
    for (const [verb, what] of [
      ['PUT', 'progress'],
      ['PUT', 'outcome'],
      ['POST', 'acceptance'],
    ]) {
      const answer = await agentRequest(
        client,
        agent,
        verb,
        `/agent/builds/1/${what}?${other}`,
        { steps: [], result: 'SUCCESS', reason: null, tests: null },
      );
      expect([what, answer.status]).toEqual([what, 409]);
    }
    expect(await client.log(build)).toBe(before);
  });

  it('stores no artifact outside of its folder', async () => {
    const client = await serve([jobOf('echo ready; sleep 60')]);
    const agent = await enlist();
    await client.started(await client.trigger('job'));
    const answer = await new BuildClient(
      client.url,
      `Bearer ${agent.token}`,
    ).send(
      'PUT',
      `/agent/builds/1/artifacts/..%2F..%2Fevil?session=${agent.session}&attempt=1`,
      { body: 'x', headers: { 'content-type': 'application/octet-stream' } },
    );
    expect([answer.status, answer.text]).toEqual([400, expect.any(String)]);
  });
});

describe('enrolment', () => {
  it('accepts a token once, a name once, and no other token', async () => {
    const client = await serve([jobOf('true')]);
    const anybody = new BuildClient(client.url, null);
    const token = await invite(admin, ['gpu']);
    const enrol = (body: object) => anybody.json('/agent/enrolment', body);
    expect((await enrol({ token, name: 'Ä', capacity: 1 })).status).toBe(400);
    const good = { token, name: 'one', capacity: 1 };
    expect((await enrol(good)).body).toMatchObject({ labels: ['gpu'] });
    expect((await enrol({ ...good, name: 'two' })).status).toBe(401);
    const again = { ...good, token: await invite(admin) };
    expect((await enrol(again)).status).toBe(409);
    expect((await enrol({ ...again, name: 'two' })).status).toBe(201);
  });

  it('is for admins', async () => {
    const client = await serve([jobOf('true')]);
    const viewer = new BuildClient(
      client.url,
      basic('viewer', 'test-viewer-token'),
    );
    const nobody = new BuildClient(client.url, null);
    for (const [method, path] of [
      ['POST', '/agents/enrolments'],
      ['POST', '/agents/x/drain'],
      ['DELETE', '/agents/x'],
    ]) {
      const ask = (as: BuildClient) =>
        as.send(method, path, {
          ...(method === 'POST' && {
            body: '{}',
            headers: { 'content-type': 'application/json' },
          }),
        });
      expect([path, (await ask(viewer)).status]).toEqual([path, 403]);
      expect([path, (await ask(nobody)).status]).toEqual([path, 401]);
    }
    expect((await admin.post('/agents/x/drain')).status).toBe(404);
    expect((await admin.send('DELETE', '/agents/x')).status).toBe(404);
    expect((await viewer.get('/agents')).status).toBe(200);
    expect((await nobody.json('/agent/work', {})).status).toBe(401);
  });
});
