import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import {
  createTestDatabase,
  type ServiceProcess,
  startProcess,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { isolationFault } from '../__testUtils__/isolationModes.ts';
import { invite } from '../__testUtils__/startAgent.ts';
import { TRIGGER_TOKEN, writeJobs } from '../__testUtils__/startBuildServer.ts';

/** Raised by hand: `KILLS=50 BUILDS=300`. */
const KILLS = Number(process.env.KILLS ?? 5);
const BUILDS = Number(process.env.BUILDS ?? 20);
const LINES = 60;
const RETRIES = 5;
const AGENTS = ['agent-1', 'agent-2'];
const isolation = isolationFault === undefined ? 'required' : 'unsafe-none';

let directory: string;
let children: ChildProcess[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'build-kills-'));
  // The users of builds need access to the locks in it.
  await chmod(directory, 0o755);
  children = [];
});

afterEach(async () => {
  children.forEach(child => child.kill('SIGKILL'));
  await rm(directory, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function startAgentProcess(
  name: string,
  options: { url: string; token?: string },
): ChildProcess {
  const { url, token } = options;
  const child = spawn(
    process.execPath,
    [
      path.resolve(import.meta.dirname, '../cli/main.ts'),
      ...['agent', '--server', url, '--name', name, '--capacity', '3'],
      ...['--directory', path.join(directory, name)],
      ...[
        '--isolation',
        isolation,
        '--readable',
        path.join(directory, 'locks'),
      ],
    ],
    {
      env: { ...process.env, SLIPWAY_ENROL_TOKEN: token ?? '' },
      stdio: process.env.LOUD ? 'inherit' : 'ignore',
    },
  );
  children.push(child);
  return child;
}

/** Retries until there is a response, because the server is sometimes down. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + patient(60_000); ;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
      await sleep(100);
    }
  }
}

/** The lines that each attempt printed, in the order of the attempts. */
function attemptsIn(log: string): number[][] {
  return log
    .split('==> Run\n')
    .slice(1)
    .map(part =>
      part
        .split('\n')
        .filter(line => /^line \d+$/.test(line))
        .map(line => Number(line.slice(5))),
    );
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it.each(testDatabaseClients().slice(-1))(
  `gives ${BUILDS} builds one number and one result each through ${KILLS} kill -9 of server and agents, on %s`,
  async databaseClient => {
    const database = await createTestDatabase(databaseClient);
    const locks = path.join(directory, 'locks');
    execFileSync('mkdir', [locks]);
    for (const number of upTo(BUILDS)) {
      await writeFile(path.join(locks, String(number)), '');
    }
    const marker = `304.${process.pid}`;
    const jobs = path.join(directory, 'jobs');
    execFileSync('mkdir', [jobs]);
    await writeJobs(jobs, [
      {
        name: 'job',
        concurrent: true,
        retryLostAgent: RETRIES,
        steps: [
          {
            name: 'Run',
            // A second concurrent attempt fails to get the lock, which is released when
            // its process ends.
            run: `exec 9<${locks}/$BUILD_NUMBER; flock -n 9 || { echo DOUBLE; exit 1; }
              env -i setsid sleep ${marker} 9<&- &
              for n in $(seq ${LINES}); do echo "line $n"; sleep 0.02; done
              yes $BUILD_NUMBER | head -c 300000 > out.bin`,
          },
        ],
        artifacts: ['out.bin'],
      },
    ]);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const startServer = (): Promise<ServiceProcess> =>
      startProcess({
        module: new URL('../service.ts', import.meta.url),
        name: 'buildServer',
        config: {
          listen: { port },
          database: database.config,
          jobsDirectory: jobs,
          dataDirectory: path.join(directory, 'data'),
          executors: 0,
          agents: { leaseSeconds: 12 },
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
      });
    let server = await startServer();
    children.push(server.child);
    const client = new BuildClient(url);
    const agents = new Map<string, ChildProcess>();
    for (const name of AGENTS) {
      const token = await invite(client);
      agents.set(name, startAgentProcess(name, { url, token }));
      await vi.waitUntil(
        async () =>
          (await client.get('/agents')).body.agents.some(
            (agent: { name: string; connected: boolean }) =>
              agent.name === name && agent.connected,
          ),
        { timeout: 30_000, interval: 100 },
      );
    }

    let isTriggering = true;
    const triggering = (async () => {
      const items: string[] = [];
      for (const number of upTo(BUILDS)) {
        const answer = await insist(() =>
          client.json(
            '/job/job/build',
            {},
            { 'idempotency-key': `k${number}` },
          ),
        );
        items.push(new URL(answer.headers.get('location')!).pathname);
        // Spreads the builds over time, so that there is always one to kill.
        await sleep((KILLS * 3_000) / BUILDS);
      }
      isTriggering = false;
      return items;
    })();
    const kills: Record<string, number> = {};
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(300 + Math.random() * 1_200);
      // Each once, then at random.
      const index = kill < 3 ? kill : Math.floor(Math.random() * 3);
      const victim = ['server', ...AGENTS][index];
      kills[victim] = (kills[victim] ?? 0) + 1;
      if (victim === 'server') {
        await server.end('SIGKILL');
        server = await startServer();
        children.push(server.child);
      } else {
        const child = agents.get(victim)!;
        child.kill('SIGKILL');
        await once(child, 'exit');
        agents.set(victim, startAgentProcess(victim, { url }));
      }
    }
    const items = await triggering;
    expect(isTriggering).toBe(false);
    expect(new Set(items).size).toBe(BUILDS);

    const results: Record<string, number> = {};
    let attempts = 0;
    const damaged: number[] = [];
    /** Builds that were aborted for a reason other than being lost too often to random kills. */
    const unexplained: [number, string][] = [];
    for (const number of upTo(BUILDS)) {
      const build = await client.ended(`/job/job/${number}/`);
      results[build.result] = (results[build.result] ?? 0) + 1;
      const said = `Lost ${RETRIES + 1} times, more often than its job allows`;
      if (build.result === 'ABORTED' && !build.reason.startsWith(said)) {
        unexplained.push([number, build.reason]);
      }
      const log = await client.log(`/job/job/${number}/`);
      expect(log).not.toContain('DOUBLE');
      expect([number, log.match(/^Finished: /gm)?.length]).toEqual([number, 1]);
      const printed = attemptsIn(log);
      attempts += printed.length;
      printed.forEach(lines => expect(lines).toEqual(upTo(lines.length)));
      const isWhole = build.result === 'SUCCESS';
      const last = printed.at(-1) ?? [];
      expect([number, last]).toEqual([
        number,
        upTo(isWhole ? LINES : last.length),
      ]);
      if (isWhole) {
        const { text } = await client.get(
          `/job/job/${number}/artifact/out.bin`,
        );
        const whole = `${number}\n`.repeat(300_000).slice(0, 300_000);
        damaged.push(...(text === whole ? [] : [number]));
      }
    }
    expect(damaged).toEqual([]);
    expect(unexplained).toEqual([]);
    const next = await client.get('/job/job/api/json?tree=nextBuildNumber');
    expect(next.body).toMatchObject({ nextBuildNumber: BUILDS + 1 });
    expect(Object.keys(results)).toContain('SUCCESS');
    for (const child of agents.values()) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await server.end('SIGTERM');
    const left = execFileSync('ps', ['-eo', 'args'])
      .toString()
      .split('\n')
      .filter(line => line === `sleep ${marker}`);
    expect(left).toEqual([]);
    await database.dispose();
    process.stdout.write(
      `${JSON.stringify({ kills, results, attempts, builds: BUILDS })}\n`,
    );
  },
  patient(120_000 + KILLS * 15_000 + BUILDS * 5_000),
);
