import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { isolationFault } from '../__testUtils__/isolationModes.ts';
import { FakeEngine } from '../__testUtils__/FakeEngine.ts';
import {
  basic,
  READ_TOKEN,
  startBuildProcess,
  startBuildServer,
  writeJobs,
} from '../__testUtils__/startBuildServer.ts';
import { ContainerEngine } from '../execution/containers/ContainerEngine.ts';
import { ContainerExecutor } from '../execution/containers/ContainerExecutor.ts';
import { probeOf } from '../execution/openExecutor.ts';

let bench: Bench;

// eslint-disable-next-line jest/no-done-callback -- the test's context
beforeEach(async context => {
  context.skip(isolationFault !== undefined, isolationFault);
  bench = await Bench.open('required');
});

afterEach(() => bench?.close());

/** Runs a script as a step. @returns its log. */
async function attack(script: string): Promise<string> {
  const client = await bench.start([jobOf(script)]);
  const build = await client.build('job');
  expect(build.result).toBe('SUCCESS');
  return client.log('/job/job/1/');
}

it('hides the processes of the server, with their environment and memory', async () => {
  process.env.SERVER_SECRET = 'do-not-tell';
  try {
    const log = await attack(`
      for pid in $PPID ${process.pid} $(ls /proc | grep '^[0-9]*$'); do
        tr '\\0' '\\n' < /proc/$pid/environ || true
        head -c 100 /proc/$pid/mem || true
      done 2>&1
      echo "processes: $(ls /proc | grep -c '^[0-9]')"
    `);
    expect(log).not.toContain('do-not-tell');
    expect(log).toMatch(/^processes: \d$/m);
  } finally {
    delete process.env.SERVER_SECRET;
  }
});

it('prevents steps from stopping the server', async () => {
  const log = await attack(`
    kill -9 $PPID || true
    kill -9 ${process.pid} || true
    kill -9 -1 || true
    echo still here
  `).catch(error => String(error));
  // The last one ends the step itself; the server still responds.
  expect(log).toBeDefined();
  const client = await bench.start([jobOf('kill -9 $PPID; echo still here')]);
  expect((await client.build('job')).result).toBe('SUCCESS');
  expect(await client.log('/job/job/1/')).toContain('still here');
});

it('shows no file of the server: its data, its jobs, its configuration', async () => {
  const log = await attack(`
    ls ${bench.scratch} ${tmpdir()} / /etc /root /home /var 2>&1 || true
    cat ${process.cwd()}/app-config.yaml ${import.meta.filename} 2>&1 || true
    cat /etc/shadow 2>&1 || true
    find / -name '*.sqlite' -o -name '*.log' -path '*build-server*' 2>/dev/null || true
  `);
  expect(log).not.toMatch(/build-server-|app-config\.yaml$/m);
  expect(log).not.toMatch(/dev-api-token|root:[*!$]/);
  expect(log).not.toContain('.sqlite');
});

it('runs steps as an unprivileged user', async () => {
  const log = await attack(`
    echo "uid: $(id -u)"; grep CapEff /proc/self/status
    (: >> /proc/sys/kernel/core_pattern) 2>&1 || true
    unshare -U true 2>&1 || true
    touch /usr/x /etc/x /x 2>&1 || true
    echo "$HOME $WORKSPACE $PWD $TMPDIR"; touch here ~/there /tmp/there
  `);
  expect(log).not.toMatch(/^uid: 0$/m);
  expect(log).toContain('CapEff:\t0000000000000000');
  expect(log).toMatch(/core_pattern: Permission denied/);
  expect(log).toMatch(/unshare failed/);
  expect(log.match(/(Read-only file system|Permission denied)/g)?.length).toBe(
    4,
  );
  expect(log).toContain('/build/home /build/work /build/work /tmp');
});

it('works with a restrictive umask', async () => {
  const umask = process.umask(0o077);
  try {
    expect(await attack('id -un; id -gn; touch here')).toMatch(
      /^build\nbuild$/m,
    );
  } finally {
    process.umask(umask);
  }
});

it('isolates builds from each other', async () => {
  const client = await bench.start([
    {
      ...jobOf('echo mine > secret; echo ready; sleep 20'),
      name: 'victim',
    },
    {
      ...jobOf(
        "find / -name secret -not -path '/proc/*' 2>/dev/null || true; ps aux || true",
      ),
      name: 'thief',
    },
  ]);
  const victim = await client.started(await client.trigger('victim'));
  await client.logHas(victim, 'ready');
  await client.build('thief');
  const log = await client.log('/job/thief/1/');
  expect(log).not.toMatch(/secret$/m);
  expect(log).not.toContain('sleep 20');
  await client.post(`${victim}stop`);
  await client.ended(victim);
});

it('gives a step time to shut down gracefully', async () => {
  const client = await bench.start(
    [jobOf('trap "echo tidied; exit 1" TERM; echo ready; sleep 30 & wait')],
    { killAfterSeconds: 10 },
  );
  const build = await client.started(await client.trigger('job'));
  await client.logHas(build, 'ready');
  await client.post(`${build}stop`);
  await client.ended(build);
  expect(await client.log(build)).toContain('tidied');
});

it('limits the processes of a build', async () => {
  const client = await bench.start(
    [
      jobOf(
        ':() { : | : & }; : 2>/dev/null; sleep 1; for n in $(seq 100); do sleep 5 & done',
      ),
    ],
    { isolation: { mode: 'required', limits: { processes: 24 } } },
  );
  const build = await client.build('job');
  expect(build.result).toBe('FAILURE');
  const next = await client.get('/job/job/api/json');
  expect(next.status).toBe(200);
});

it('runs an offline step without network access', async () => {
  const client = await bench.start([
    {
      name: 'job',
      steps: [
        {
          name: 'Off',
          run: 'cat /proc/net/dev',
          network: 'none',
        },
      ],
    },
  ]);
  await client.build('job');
  const log = await client.log('/job/job/1/');
  expect(log.match(/^ *[a-z0-9]+: /gm)).toEqual([
    expect.stringMatching(/lo: /),
  ]);
});

it('reports the isolation to callers who may read', async () => {
  const client = await bench.start([jobOf('true')]);
  const viewer = new BuildClient(client.url, basic('viewer', READ_TOKEN));
  const answer = await viewer.get('/isolation');
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      kind: 'bubblewrap',
      limits: expect.any(String),
      gaps: expect.arrayContaining([expect.any(String)]),
      containers: null,
    },
  ]);
  expect(
    (await new BuildClient(client.url, null).get('/isolation')).status,
  ).toBe(401);
});

it('reports whether containers run', async () => {
  const engine = await FakeEngine.start();
  const server = await startBuildServer({
    jobs: [],
    config: { executors: 1, containers: { socket: engine.socket } },
  });
  try {
    const client = new BuildClient(server.url);
    expect((await client.get('/isolation')).body.containers).toEqual({
      kind: 'containers',
      limits: expect.stringContaining('processes'),
      gaps: expect.arrayContaining([
        expect.stringContaining('runs as root'),
        'The number of processes is not limited on this machine.',
      ]),
      engine: 'Podman Engine 5.0.0',
      fault: null,
    });
    // Without root, the engine reports limits that it cannot enforce with this version of control
    // groups.
    engine.isRootless = true;
    expect(await new ContainerEngine(engine.socket).describe()).toEqual({
      name: 'Podman Engine 5.0.0',
      isRootless: true,
      hasSeccomp: true,
      limitsMemory: false,
      limitsProcesses: false,
      mapsHostIds: true,
    });
  } finally {
    await server.stop();
    await engine.stop();
  }
});

it('reports why containers do not run', async () => {
  const probe = probeOf(
    new ContainerExecutor({
      engine: new ContainerEngine('/nowhere/engine.sock'),
      directory: '/nowhere',
      limits: { processes: 100, memoryMiB: 256, cpus: 1, diskMiB: 64 },
      uid: 65_534,
      killAfterMs: 500,
    }),
  );
  expect(await probe()).toMatchObject({
    engine: null,
    fault: expect.stringMatching(/^the container engine failed: .*ENOENT/),
  });
});

const ESCAPES = (seconds: string) => `
  env -i setsid sleep ${seconds} &
  (setsid sh -c 'sleep ${seconds} & sleep ${seconds}' &)
  nohup setsid -f sleep ${seconds} >/dev/null 2>&1
  perl -e 'fork and exit; use POSIX; POSIX::setsid(); fork and exit; %ENV=(); exec "sleep","${seconds}"' &
  sleep 0.5; echo "escaped"
`;

function commands(): string {
  return execFileSync('ps', ['-eww', '-o', 'pid,args']).toString();
}

function sleepersOf(seconds: string): string[] {
  return commands()
    .split('\n')
    .filter(line => new RegExp(`\\d sleep ${seconds}$`).test(line));
}

it('ends processes that have dropped their environment, session and parent', async () => {
  const seconds = `302.${process.pid}`;
  const client = await bench.start([jobOf(`${ESCAPES(seconds)} sleep 60`)]);
  const build = await client.started(await client.trigger('job'));
  await client.logHas(build, 'escaped');
  // On a busy machine, they may start later than the script says.
  await vi.waitFor(() =>
    expect(sleepersOf(seconds).length).toBeGreaterThanOrEqual(4),
  );
  await client.post(`${build}stop`);
  await client.ended(build);
  expect(sleepersOf(seconds)).toEqual([]);
});

it('ends all of a build when the server is killed', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'build-kill-'));
  const seconds = `303.${process.pid}`;
  try {
    await writeJobs(directory, [jobOf(`${ESCAPES(seconds)} sleep 60`)]);
    const running = await startBuildProcess({
      directory,
      isolation: 'required',
    });
    const client = new BuildClient(running.url);
    const build = await client.started(await client.trigger('job'));
    await client.logHas(build, 'escaped');
    await vi.waitFor(() =>
      expect(sleepersOf(seconds).length).toBeGreaterThanOrEqual(4),
    );
    await running.end('SIGKILL');
    await vi.waitUntil(() => sleepersOf(seconds).length === 0);
    // Also the sandbox that was waiting for the next build.
    await vi.waitUntil(() => !commands().includes(directory));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
