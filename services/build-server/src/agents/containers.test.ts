import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { Bench } from '../__testUtils__/Bench.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { FakeEngine } from '../__testUtils__/FakeEngine.ts';
import { isolationFault } from '../__testUtils__/isolationModes.ts';
import { startAgent, type TestAgent } from '../__testUtils__/startAgent.ts';
import { basic, TRIGGER_TOKEN } from '../__testUtils__/startBuildServer.ts';
import type { Job } from '../jobs/Job.ts';

/** A real engine with the image, instead of the fake. */
const { TEST_ENGINE_SOCKET: realSocket } = process.env;
const IMAGE = 'registry.example/tools:1';

const JOB: Job = {
  name: 'job',
  container: { image: IMAGE },
  services: [
    {
      name: 'helper',
      run: 'echo helping; sleep 100',
    },
  ],
  steps: [
    { name: 'Write', run: 'echo "from the agent" > file; echo "home: $HOME"' },
    { name: 'Read', run: 'cat file' },
  ],
  artifacts: ['file'],
};

let bench: Bench;
let client: BuildClient;
let engine: FakeEngine | undefined;
const agents: TestAgent[] = [];

// eslint-disable-next-line jest/no-done-callback -- the test's context
beforeEach(async context => {
  context.skip(
    isolationFault !== undefined && !realSocket,
    'The fake engine runs commands in bubblewrap',
  );
  bench = await Bench.open();
  engine = realSocket ? undefined : await FakeEngine.start();
  const users = [
    { name: 'dev', key: TRIGGER_TOKEN, scopes: ['read', 'trigger', 'admin'] },
  ];
  client = await bench.start([JOB], { executors: 1, auth: { users } });
  client = new BuildClient(client.url, basic('dev', TRIGGER_TOKEN));
});

afterEach(async () => {
  await Promise.all(agents.splice(0).map(agent => agent.stop()));
  await bench?.close();
  const wrong = [...(engine?.faults ?? []), ...(engine?.names ?? [])];
  await engine?.stop();
  engine = undefined;
  if (wrong.length > 0) {
    throw new Error(`Wrong requests, or left containers: ${wrong.join(', ')}`);
  }
});

it('runs jobs with a container and their services', async () => {
  agents.push(
    await startAgent(client, { containers: realSocket ?? engine!.socket }),
  );
  await vi.waitFor(async () => {
    const { body } = await client.get('/agents');
    expect(body.agents[0].labels).toEqual(['containers']);
  }, 30_000);
  const build = await client.build('job');
  expect([build.result, build.reason]).toEqual(['SUCCESS', null]);
  expect(build).toMatchObject({
    builtOn: 'agent-1',
    artifacts: [{ relativePath: 'file' }],
  });
  const log = await client.log('/job/job/1/');
  expect(log).toContain('from the agent');
  expect(log).toContain('home: /build/home');
  expect(log).toContain('[helper] helping');
  const { body } = await client.get('/agents');
  expect(body.agents[0]).toMatchObject({
    labels: ['containers'],
    executor: {
      kind: 'none',
      containers: {
        kind: 'containers',
        engine: expect.stringMatching(/Podman|Docker/),
        fault: null,
      },
    },
  });
});

it('is not asked to until its engine responds', async () => {
  const socket = path.join(bench.scratch, 'engine.sock');
  agents.push(await startAgent(client, { containers: socket }));
  await vi.waitFor(async () => {
    const { body } = await client.get('/agents');
    expect(body.agents[0]).toMatchObject({
      labels: [],
      executor: { containers: { fault: expect.stringContaining('ENOENT') } },
    });
  }, 30_000);
  await client.trigger('job');
  await vi.waitFor(async () => {
    const { body } = await client.get('/queue/api/json');
    expect(body.items).toEqual([
      expect.objectContaining({
        why: 'Nothing that is connected has the labels containers',
      }),
    ]);
  }, 30_000);
  await symlink(realSocket ?? engine!.socket, socket);
  await vi.waitFor(async () => {
    const { body } = await client.get('/job/job/1/api/json');
    expect(body.result).toBe('SUCCESS');
  }, 60_000);
});
