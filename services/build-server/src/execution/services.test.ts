import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownAddresses, startTimeOf } from '@slipway/processes';
import { Bench } from '../__testUtils__/Bench.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  isolationFault,
  isolationModes,
} from '../__testUtils__/isolationModes.ts';
import { startAgent } from '../__testUtils__/startAgent.ts';
import {
  startBuildProcess,
  TRIGGER_TOKEN,
  writeJobs,
} from '../__testUtils__/startBuildServer.ts';
import { findNetworkPrograms } from '../isolation/BuildNetworks.ts';
import type { Job } from '../jobs/Job.ts';

const networkFault =
  isolationFault ??
  (Array.isArray(findNetworkPrograms())
    ? 'slirp4netns or what it needs is not installed'
    : undefined);
/** A port that is free now. */
let port: number;
let foreign: Server;
let bench: Bench;

beforeEach(async () => {
  // Listens on all addresses of this machine.
  foreign = createServer((_, response) => response.end('the machine'));
  await new Promise<void>(resolve => {
    foreign.listen(0, resolve);
  });
  ({ port } = foreign.address() as AddressInfo);
});

afterEach(async () => {
  foreign.close();
  await bench?.close();
});

/** A service that responds with a text, like a database that belongs to one build. */
const serving = (text: string) =>
  `exec perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => ${port}, Listen => 5, ReuseAddr => 1) or die "port is taken: $!\\n"; while (my $c = $s->accept) { while (<$c>) { last if /^\\s*$/ } print $c "HTTP/1.0 200 OK\\r\\n\\r\\n${text}"; close $c }'`;
const get = (host: string) =>
  `curl -s --max-time 3 --noproxy '*' http://${host}:${port}/`;

function jobWith(text: string, script: string): Job {
  return {
    name: text,
    services: [
      {
        name: 'db',
        run: serving(text),
        ready: get('127.0.0.1'),
        readySeconds: 20,
      },
    ],
    steps: [{ name: 'Use', run: script }],
  };
}

/** Queries the service for as long as another build takes to run, and fails on a wrong response. */
const askLong = (text: string) =>
  `echo using; for n in 1 2 3 4 5 6 7 8; do [ "$(${get('localhost')})" = ${text} ] || exit 9; sleep 0.25; done`;

/** Processes that keep networks of the builds of a server, or of an agent in this process. */
function keepers(parent = process.pid): number[] {
  return execFileSync('ps', ['-eww', '-o', 'ppid=,pid=,args='])
    .toString()
    .split('\n')
    .filter(line => /slirp4netns --|ip -batch/.test(line))
    .map(line => line.trim().split(/\s+/).map(Number))
    .filter(([ppid]) => ppid === parent)
    .map(([, pid]) => pid);
}

/** Checks whether a process is running; a zombie does not count. */
const isAlive = (pid: number) => startTimeOf(pid) !== undefined;

describe.each(isolationModes)(
  'services of two builds at once, with %s',
  mode => {
    beforeEach(async () => {
      bench = await Bench.open(mode);
      foreign.close();
    });

    it('are those of their own build, although they use the same port', async () => {
      const client = await bench.start(
        [jobWith('one', askLong('one')), jobWith('two', askLong('two'))],
        { executors: 2 },
      );
      const builds = await Promise.all([
        client.build('one'),
        client.build('two'),
      ]);
      expect(builds.map(({ result }) => result)).toEqual([
        'SUCCESS',
        'SUCCESS',
      ]);
      expect(await client.log('/job/one/1/')).toContain('Service db is ready');
    });

    // However long the service takes to start on a busy machine.
    const untilEnded = 'until [ -f ended ]; do sleep 0.1; done; sleep 1';
    it.each([
      ['passes', untilEnded],
      ['fails without them', `${untilEnded}; exit 1`],
    ])(
      'fail the build if they end before a step that %s',
      async (_how, run) => {
        const client = await bench.start([
          {
            name: 'job',
            services: [{ name: 'db', run: 'touch ended; exit 4' }],
            steps: [{ name: 'Use', run }],
          },
        ]);
        expect(await client.build('job')).toMatchObject({
          result: 'FAILURE',
          reason: 'Service db: it ended with exit code 4',
        });
      },
    );
  },
);

it('are not the reason of a build whose step failed while they ran', async () => {
  bench = await Bench.open();
  const client = await bench.start([
    {
      name: 'job',
      services: [
        { name: 'db', run: 'while ! test -e stop; do sleep 0.1; done' },
      ],
      steps: [
        { name: 'Test', run: 'exit 3' },
        { name: 'Clean up', run: 'touch stop; sleep 1', always: true },
      ],
    },
  ]);
  expect(await client.build('job')).toMatchObject({
    result: 'FAILURE',
    reason: 'Test failed: it ended with exit code 3',
  });
});

it('fail the build on a machine where another program has their port', async () => {
  bench = await Bench.open();
  const client = await bench.start([jobWith('job', 'sleep 1')]);
  expect(await client.build('job')).toMatchObject({
    result: 'FAILURE',
    reason: expect.stringMatching(/^Service db: it ended with exit code \d+$/),
  });
});

it('wait for those of another build where builds share ports, and can be stopped then', async () => {
  bench = await Bench.open();
  foreign.close();
  const client = await bench.start(
    [jobWith('one', 'echo using; sleep 60'), jobWith('two', 'echo used')],
    { executors: 2, killAfterSeconds: 0.3 },
  );
  const one = await client.started(await client.trigger('one'));
  await client.logHas(one, 'using');
  const stopped = await client.started(await client.trigger('two'));
  await client.logHas(stopped, 'Services wait for those of another build');
  await client.post(`${stopped}stop`);
  expect(await client.ended(stopped)).toMatchObject({ result: 'ABORTED' });
  const two = await client.started(await client.trigger('two'));
  await client.logHas(two, 'Services wait for those of another build');
  await client.post(`${one}stop`);
  expect(await client.ended(two)).toMatchObject({ result: 'SUCCESS' });
});

describe('a build with services', () => {
  // eslint-disable-next-line jest/no-done-callback -- the test's context
  beforeEach(async context => {
    context.skip(networkFault !== undefined, networkFault);
    bench = await Bench.open('required');
  });

  const ADDRESSES = ['10.0.2.2', ...ownAddresses()];
  const askMachine = () =>
    ADDRESSES.map(host => `echo "${host}: $(${get(host)})"`).join('\n');

  it('has its own network, from which it does not reach its machine', async () => {
    const client = await bench.start([
      jobWith('job', `${get('localhost')}\necho\n${askMachine()}`),
      { name: 'plain', steps: [{ name: 'Ask', run: get('localhost') }] },
    ]);
    expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
    const log = await client.log('/job/job/1/');
    expect(log).toContain('job');
    expect(log).not.toContain('the machine');
    expect(log.match(/^[\d.]+: $/gm)).toHaveLength(ADDRESSES.length);
    expect(await client.build('plain')).toMatchObject({ result: 'SUCCESS' });
    expect(await client.log('/job/plain/1/')).toContain('the machine');
  });

  it('resolves names, and runs steps without network access apart from its services', async () => {
    const client = await bench.start([
      {
        ...jobWith('job', 'cat /etc/resolv.conf /proc/net/dev'),
        steps: [
          {
            name: 'On',
            run: 'cat /etc/resolv.conf; grep -c tap0 /proc/net/dev',
          },
          {
            name: 'Off',
            run: `grep -c tap0 /proc/net/dev || ${get('localhost')} || echo apart`,
            network: 'none',
          },
        ],
      },
    ]);
    expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
    expect(await client.log('/job/job/1/')).toMatch(
      /nameserver 10\.0\.2\.3\n[^]*^1$[^]*==> Off\n0\napart/m,
    );
  });

  it('reaches its machine if the operator allows it', async () => {
    const client = await bench.start(
      [
        {
          name: 'job',
          services: [{ name: 'idle', run: 'sleep 60' }],
          steps: [{ name: 'Ask', run: askMachine() }],
        },
      ],
      { isolation: { mode: 'required', reachMachine: true } },
    );
    await client.build('job');
    const log = await client.log('/job/job/1/');
    expect(log.match(/: the machine$/gm)).toHaveLength(ADDRESSES.length);
  });

  it('leaves no network when it ends or is stopped', async () => {
    const client = await bench.start(
      [jobWith('job', 'echo using; sleep 60'), jobWith('quick', 'true')],
      { killAfterSeconds: 0.3 },
    );
    const build = await client.started(await client.trigger('job'));
    await client.logHas(build, 'using');
    expect(keepers()).toHaveLength(2);
    await client.post(`${build}stop`);
    expect(await client.ended(build)).toMatchObject({ result: 'ABORTED' });
    await vi.waitUntil(() => keepers().length === 0);
    expect(await client.build('quick')).toMatchObject({ result: 'SUCCESS' });
    await vi.waitUntil(() => keepers().length === 0);
  });

  it('leaves no network when the server is killed', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'build-kill-'));
    await writeJobs(directory, [jobWith('job', 'echo using; sleep 60')]);
    const running = await startBuildProcess({
      directory,
      isolation: 'required',
    });
    try {
      const client = new BuildClient(running.url);
      const build = await client.started(await client.trigger('job'));
      await client.logHas(build, 'using');
      const processes = keepers(running.child.pid);
      expect(processes).toHaveLength(2);
      await running.end('SIGKILL');
      await vi.waitUntil(() => !processes.some(isAlive));
    } finally {
      running.child.kill('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('has its own network on an agent', async () => {
    const client = await bench.start(
      [jobWith('one', askLong('one')), jobWith('two', askLong('two'))],
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
      },
    );
    const agent = await startAgent(client, { isolation: 'required' });
    try {
      const builds = await Promise.all([
        client.build('one'),
        client.build('two'),
      ]);
      expect(builds.map(({ result }) => result)).toEqual([
        'SUCCESS',
        'SUCCESS',
      ]);
    } finally {
      await agent.stop();
    }
    await vi.waitUntil(() => keepers().length === 0);
  });
});

describe('all builds with their own network', () => {
  // eslint-disable-next-line jest/no-done-callback -- the test's context
  beforeEach(async context => {
    context.skip(networkFault !== undefined, networkFault);
    bench = await Bench.open('required');
  });

  it('do not reach the machine, also in a sandbox that waited for them', async () => {
    const client = await bench.start(
      [
        {
          name: 'job',
          steps: [{ name: 'Ask', run: `${get('localhost')} || echo no` }],
        },
      ],
      { isolation: { mode: 'required', network: 'own' } },
    );
    for (const number of [1, 2]) {
      await vi.waitUntil(() => keepers().length === 2);
      expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
      expect(await client.log(`/job/job/${number}/`)).toContain('no\n');
    }
    const { body } = await client.get('/isolation');
    expect(body.gaps.join()).not.toContain('ports of its machine');
    await bench.stop();
    await vi.waitUntil(() => keepers().length === 0);
  });
});
