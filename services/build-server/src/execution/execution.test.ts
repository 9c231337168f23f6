import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import type { Job } from '../jobs/Job.ts';

let server: TestServer | undefined;
let client: BuildClient;
let scratch: string;

beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'build-scratch-'));
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(scratch, { recursive: true, force: true });
});

/** Starts a server with jobs of these steps, and builds them. */
async function start(
  jobs: readonly Job[],
  config: Record<string, unknown> = {},
): Promise<void> {
  server = await startBuildServer({ jobs, config });
  client = new BuildClient(server.url);
}

const job = (run: string, more: Partial<Job> = {}): Job => ({
  name: 'job',
  steps: [{ name: 'Run', run }],
  ...more,
});

/** Whether a process is there, and no zombie. */
function isAlive(pid: string): boolean {
  try {
    return !/^\S+ \(.*\) Z/.test(
      execFileSync('cat', [`/proc/${pid}/stat`], { stdio: 'pipe' }).toString(),
    );
  } catch {
    return false;
  }
}

describe('the environment of a build', () => {
  it('holds nothing of the server', async () => {
    process.env.SERVER_SECRET = 'do-not-tell';
    await start([job('env | sort', { environment: { COLOUR: 'blue' } })]);
    await client.build('job');
    delete process.env.SERVER_SECRET;
    const names = (await client.log('/job/job/1/'))
      .split('\n')
      .flatMap(line => /^(\w+)=/.exec(line)?.[1] ?? []);
    expect(names).toEqual([
      'BUILD_ID',
      'BUILD_NUMBER',
      'BUILD_URL',
      'CI',
      'COLOUR',
      'HOME',
      'JOB_NAME',
      'LANG',
      'PATH',
      'PWD',
      'SLIPWAY_BUILD_MARK',
      'TMPDIR',
      'WORKSPACE',
    ]);
  });

  it('has parameters as values that no shell reads', async () => {
    const marker = path.join(scratch, 'injected');
    const hostile = [
      `"; touch ${marker}; echo "`,
      `$(touch ${marker})`,
      `\`touch ${marker}\``,
      `' && touch ${marker} #`,
      `\n touch ${marker}\n`,
      '../../../etc/passwd',
      '-n -e --help',
      '\u001b[2J$PATH',
    ];
    await start([
      job('printf "<%s>" "$VALUE"', {
        parameters: [{ name: 'VALUE' }],
        concurrent: true,
      }),
    ]);
    for (const [index, value] of hostile.entries()) {
      await client.build('job', { VALUE: value });
      expect(await client.log(`/job/job/${index + 1}/`)).toContain(
        `<${value}>`,
      );
    }
    expect(existsSync(marker)).toBe(false);
  });
});

describe('a result', () => {
  it.each([
    ['exit 3', {}, 'FAILURE', 'Run failed: it ended with exit code 3'],
    ['kill -9 $$', {}, 'FAILURE', 'Run failed: it ended with SIGKILL'],
    [
      'false; echo not reached',
      {},
      'FAILURE',
      'Run failed: it ended with exit code 1',
    ],
    ['sleep 30', { timeoutSeconds: 1 }, 'FAILURE', 'Not done after 1 seconds'],
  ])('of %s %o is %s', async (run, more, result, reason) => {
    await start([job(run, more)]);
    const build = await client.build('job');
    expect(build).toMatchObject({ result, reason });
    expect(build.steps).toMatchObject([{ state: 'failed' }]);
    expect(await client.log('/job/job/1/')).not.toContain('not reached');
  });

  it('is unstable where a step may fail, and later steps run', async () => {
    await start([
      {
        name: 'job',
        steps: [
          { name: 'Lint', run: 'exit 1', allowFailure: true },
          {
            name: 'Slow',
            run: 'sleep 9',
            allowFailure: true,
            timeoutSeconds: 1,
          },
          { name: 'Build', run: 'echo built' },
        ],
      },
    ]);
    const build = await client.build('job');
    expect(build).toMatchObject({
      result: 'UNSTABLE',
      steps: [
        { name: 'Lint', state: 'warning' },
        { state: 'warning', message: 'it was not done after 1 seconds' },
        { name: 'Build', state: 'done' },
      ],
    });
  });

  const report = (cases: string) =>
    `mkdir -p out; printf '%s' '<testsuites><testsuite name="s">${cases}</testsuite></testsuites>' > out/report.xml`;
  const PASSED = '<testcase name="a" classname="s"/>';
  const FAILED = `${PASSED}<testcase name="b"><failure message="1 &lt; 2"/></testcase>`;

  it.each([
    [report(PASSED), 'SUCCESS', null, { total: 1, failed: 0 }],
    [
      report(FAILED),
      'UNSTABLE',
      '1 of 2 tests failed',
      { failed: 1, failures: [{ name: 'b', message: '1 < 2' }] },
    ],
    [
      `${report(FAILED)}; exit 1`,
      'FAILURE',
      'Run failed: it ended with exit code 1',
      { failed: 1 },
    ],
    ['true', 'FAILURE', 'No test report matches out/*.xml', null],
    [
      'mkdir out; echo "<a>" > out/x.xml',
      'FAILURE',
      expect.stringContaining('not well-formed'),
      null,
    ],
    [
      'mkdir out; ln -s /etc/passwd out/x.xml',
      'FAILURE',
      'No test report matches out/*.xml',
      null,
    ],
  ])('of %s is %s by its tests', async (run, result, reason, tests) => {
    await start([job(run, { junit: ['out/*.xml'] })]);
    const build = await client.build('job');
    expect(build).toMatchObject({ result, reason });
    expect(build).toMatchObject({ tests });
  });
});

describe('the end of a build', () => {
  // A child in the group, one in a session of its own, one that has dropped its
  // environment, and one that minds no SIGTERM.
  const TREE = `
    sleep 300 & echo "pid $!"
    setsid sh -c 'echo "pid $$"; exec sleep 300' &
    env -i /bin/sh -c 'echo "pid $$"; exec /bin/sleep 300' &
    (trap "" TERM; sleep 300) & echo "pid $!"
    sleep 0.3; echo started
  `;

  const pidsOf = (log: string) =>
    [...log.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => pid);

  it('by hand ends its whole tree', async () => {
    await start([job(`${TREE}; sleep 300`)]);
    const build = await client.started(await client.trigger('job'));
    const pids = pidsOf(await client.logHas(build, 'started'));
    expect(pids).toHaveLength(4);
    expect(pids.map(isAlive)).toEqual([true, true, true, true]);
    await client.post(`${build}stop`);
    expect((await client.ended(build)).result).toBe('ABORTED');
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('by itself leaves nothing behind, in processes and on disk', async () => {
    await start([job(TREE)]);
    const build = await client.build('job');
    expect(build.result).toBe('SUCCESS');
    const pids = pidsOf(await client.log('/job/job/1/'));
    expect(pids).toHaveLength(4);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await readdir(path.join(server!.directory, 'work'))).toEqual([]);
  });

  it('comes when the server shuts down', async () => {
    await start([job(`${TREE}; sleep 300`)]);
    const build = await client.started(await client.trigger('job'));
    const pids = pidsOf(await client.logHas(build, 'started'));
    await server!.stop();
    server = undefined;
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

it('keeps so much of a log and no more', async () => {
  await start([job('yes 0123456789 | head -c 5000000')], {
    logs: { maxBytes: 100_000 },
  });
  const build = await client.build('job');
  expect(build.result).toBe('SUCCESS');
  const log = await client.log('/job/job/1/');
  expect(log.length).toBeLessThan(101_000);
  expect(log).toContain('the rest of the output is left out');
  expect(log).toContain('Finished: SUCCESS');
});

it('runs so many at a time and no more', async () => {
  const counter = path.join(scratch, 'running');
  await start(
    [
      job(
        `touch ${counter}.$BUILD_NUMBER; ls ${scratch} | wc -l; sleep 0.3; rm ${counter}.$BUILD_NUMBER`,
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
  await start([
    job('true', { quietPeriodSeconds: 1, parameters: [{ name: 'A' }] }),
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

describe('a checkout', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Ada', '-c', 'user.email=a@b', ...args],
      {
        cwd,
        stdio: 'pipe',
      },
    )
      .toString()
      .trim();

  /** A bare repository with two commits on main. @returns its address and the commits. */
  async function makeRepository(): Promise<{ url: string; commits: string[] }> {
    const work = path.join(scratch, 'work');
    execFileSync('git', ['init', '--quiet', '-b', 'main', work]);
    const commits: string[] = [];
    for (const text of ['one', 'two']) {
      await writeFile(path.join(work, 'file'), text);
      git(work, 'add', '.');
      git(work, 'commit', '--quiet', '-m', `Say ${text}`);
      commits.push(git(work, 'rev-parse', 'HEAD'));
    }
    const bare = path.join(scratch, 'shop.git');
    git(scratch, 'clone', '--quiet', '--bare', work, bare);
    return { url: `file://${bare}`, commits };
  }

  it('builds what was pushed, else the tip of the branch', async () => {
    const { url, commits } = await makeRepository();
    await start([
      job('cat file; echo; echo "$GIT_COMMIT"', {
        source: { repository: url, branch: 'main' },
        webhook: { token: 'hello-webhook' },
      }),
    ]);
    const pushed = await client.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      { ref: 'refs/heads/main', after: commits[0] },
    );
    const item = new URL(pushed.body.jobs.job.url).pathname;
    const first = await client.ended(await client.started(item));
    expect(first).toMatchObject({
      result: 'SUCCESS',
      revision: commits[0],
      steps: [{ name: 'Check out', state: 'done' }, { state: 'done' }],
    });
    expect(await client.log('/job/job/1/')).toContain(`one\n${commits[0]}`);

    const tip = await client.build('job');
    expect(tip).toMatchObject({
      revision: commits[1],
      changeSet: { items: [{ commitId: commits[1], msg: 'Say two' }] },
    });
    expect(await client.log('/job/job/2/')).toContain('two\n');
  });

  it.each([
    ['--upload-pack=touch', '0'.repeat(39) + 1],
    ['refs/heads/--upload-pack=x', 'HEAD; touch x'],
    ['refs/heads/../../x', '--help'],
  ])('believes no ref %s or commit %s', async (ref, after) => {
    const { url } = await makeRepository();
    await start([
      job('true', {
        source: { repository: url },
        webhook: { token: 'hello-webhook' },
      }),
    ]);
    const pushed = await client.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      { ref, after },
    );
    const item = new URL(pushed.body.jobs.job.url).pathname;
    const build = await client.ended(await client.started(item));
    expect(['SUCCESS', 'FAILURE']).toContain(build.result);
    expect(await client.log('/job/job/1/')).not.toMatch(
      /usage:|unknown option/,
    );
  });

  it('fails where there is no such repository or protocol', async () => {
    await start([
      job('true', { source: { repository: 'file:///no/such/repository' } }),
      {
        ...job('true', { source: { repository: 'ext::sh -c touch' } }),
        name: 'other',
        source: { repository: 'https://127.0.0.1:1/x.git' },
      },
    ]);
    const build = await client.build('job');
    expect(build).toMatchObject({
      result: 'FAILURE',
      reason: expect.stringContaining('Check out failed: git fetch'),
    });
    // Not among the protocols of this server.
    await client.build('other');
    expect(await client.log('/job/other/1/')).toContain(
      "transport 'https' not allowed",
    );
  });
});
