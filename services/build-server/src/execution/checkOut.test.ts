import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BuildClient } from '../__testUtils__/BuildClient.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { isolationFault } from '../__testUtils__/isolationModes.ts';
import { serveGit } from '../__testUtils__/serveGit.ts';

/** Contains a repository that every test copies. */
let template: string;
let commits: string[];
let bench: Bench;

beforeAll(async () => {
  template = await mkdtemp(path.join(tmpdir(), 'build-template-'));
  const work = path.join(template, 'work');
  gitIn(template, 'init', '--quiet', '-b', 'main', work);
  commits = [];
  for (const text of ['one', 'two']) {
    await writeFile(path.join(work, 'file'), text);
    gitIn(work, 'add', '.');
    gitIn(work, 'commit', '--quiet', '-m', `Say ${text}`);
    commits.push(gitIn(work, 'rev-parse', 'HEAD'));
  }
  gitIn(template, 'clone', '--quiet', '--bare', work, 'shop.git');
});

afterAll(() => rm(template, { recursive: true, force: true }));

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

/** A bare repository with two commits on main. @returns its address. */
async function makeRepository({ scratch } = bench): Promise<string> {
  await cp(template, scratch, { recursive: true });
  return `file://${path.join(scratch, 'shop.git')}`;
}

/** Starts a server that all tests of a group use. @returns its client. */
function sharedServer(
  begin: (shared: Bench, url: string) => Promise<BuildClient>,
): () => BuildClient {
  let shared: Bench;
  let client: BuildClient;
  beforeAll(async () => {
    shared = await Bench.open();
    client = await begin(shared, await makeRepository(shared));
  });
  afterAll(() => shared.close());
  return () => client;
}

it('builds the pushed commit, otherwise the tip of the branch', async () => {
  const url = await makeRepository();
  const client = await bench.start([
    jobOf('cat file; echo; echo "$GIT_COMMIT"', {
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

it('builds the default branch of the repository if nothing names one', async () => {
  const url = await makeRepository();
  const client = await bench.start([
    jobOf('echo "on $GIT_BRANCH"', { source: { repository: url } }),
  ]);
  expect(await client.build('job')).toMatchObject({
    result: 'SUCCESS',
    revision: commits[1],
  });
  expect(await client.log('/job/job/1/')).toContain('on main\n');
});

it('keeps the beginning of an endless message', async () => {
  const url = await makeRepository();
  const bare = new URL(url).pathname;
  const long = path.join(bench.scratch, 'message');
  await writeFile(long, `Say much\n\n${'word '.repeat(100_000)}`);
  gitIn(bench.scratch, 'clone', '--quiet', bare, 'again');
  const again = path.join(bench.scratch, 'again');
  gitIn(again, 'commit', '--quiet', '--allow-empty', '-F', long);
  gitIn(again, 'push', '--quiet', 'origin', 'main');
  const client = await bench.start([
    jobOf('true', { source: { repository: url } }),
  ]);
  const build = await client.build('job');
  const head = gitIn(again, 'rev-parse', 'HEAD');
  expect(head).not.toBe(commits[1]);
  expect(build).toMatchObject({ result: 'SUCCESS', revision: head });
  const [item] = build.changeSet.items;
  expect(item).toMatchObject({ commitId: head });
  expect(item.msg).toMatch(/^Say much/);
  expect(JSON.stringify(item).length).toBeLessThan(40_000);
});

/** Adds a commit that is on no branch, like commits of forks on a forge, and makes it fetchable. */
async function addForkCommit(url: string): Promise<string> {
  const bare = new URL(url).pathname;
  const fork = path.join(bench.scratch, 'fork');
  gitIn(bench.scratch, 'clone', '--quiet', bare, fork);
  await writeFile(path.join(fork, 'file'), 'evil');
  gitIn(fork, 'commit', '--quiet', '-a', '-m', 'Be evil');
  gitIn(fork, 'push', '--quiet', 'origin', 'HEAD:refs/pull/1/head');
  gitIn(bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  return gitIn(fork, 'rev-parse', 'HEAD');
}

const send = async (
  client: BuildClient,
  payload: object,
): Promise<{ url: string; reason?: string }> => {
  const { body } = await client.json(
    '/generic-webhook-trigger/invoke?token=test-webhook-token',
    payload,
  );
  return body.jobs.job;
};

const start = (url: string, refs?: string[], where = bench) =>
  where.start([
    jobOf('cat file', {
      source: { repository: url, branch: 'main' },
      webhook: { token: 'hello-webhook', ...(refs && { refs }) },
    }),
  ]);

describe('a webhook', () => {
  it.each([
    ['refs/heads/main', undefined],
    [undefined, undefined],
    ['refs/heads/main', ['refs/**']],
  ])('builds no commit of a fork as %s of %s', async (ref, refs) => {
    const url = await makeRepository();
    const after = await addForkCommit(url);
    const client = await start(url, refs);
    const { url: item } = await send(client, { ref, after });
    const build = await client.started(new URL(item).pathname);
    const where = ref ?? 'refs/heads/main';
    expect(await client.ended(build)).toMatchObject({
      result: 'FAILURE',
      reason: `Check out failed: ${after} is not on ${where}: it belongs to another ref or repository, or ${where} has been rewritten`,
    });
    expect(await client.log(build)).not.toContain('evil');
    expect(await client.log(build)).not.toContain('two');
  });

  it('builds no pull request, which may be of a fork', async () => {
    const url = await makeRepository();
    const after = await addForkCommit(url);
    const client = await start(url);
    const ref = 'refs/pull/1/head';
    expect(await send(client, { ref, after })).toMatchObject({
      triggered: false,
      reason: `The job does not build ${ref}`,
    });
    const long = `refs/heads/${'a'.repeat(600)}`;
    expect(await send(client, { ref: long, after })).toMatchObject({
      triggered: false,
    });
  });

  it('builds an ancestor, a tag, and what a branch of any name has', async () => {
    const url = await makeRepository();
    const bare = new URL(url).pathname;
    gitIn(bare, 'tag', '-a', 'v1', '-m', 'One', commits[0]);
    gitIn(bare, 'branch', 'feature/one', commits[0]);
    const tag = gitIn(bare, 'rev-parse', 'v1');
    const client = await start(url);
    for (const [ref, after] of [
      ['refs/heads/main', commits[0]],
      ['refs/tags/v1', tag],
      ['refs/heads/feature/one', commits[0]],
    ]) {
      const { url: item } = await send(client, { ref, after });
      const build = await client.started(new URL(item).pathname);
      expect(await client.ended(build)).toMatchObject({
        result: 'SUCCESS',
        revision: commits[0],
      });
    }
    // The commit is not on the named branch: the build fails instead of building the tip of the
    // branch.
    const { url: item } = await send(client, {
      ref: 'refs/heads/feature/one',
      after: commits[1],
    });
    const build = await client.started(new URL(item).pathname);
    expect((await client.ended(build)).result).toBe('FAILURE');
  });
});

describe('a webhook with an invalid ref or commit', () => {
  const client = sharedServer((shared, url) => start(url, undefined, shared));

  it.each([
    ['--upload-pack=touch', '0'.repeat(39) + 1],
    ['refs/heads/../../x', '--help'],
    ['refs/heads/-x/../y', '0'.repeat(40)],
  ])('queues no ref %s', async (ref, after) => {
    expect(await send(client(), { ref, after })).toMatchObject({
      triggered: false,
    });
  });

  it.each([
    ['refs/heads/--upload-pack=x', 'HEAD; touch x'],
    ['refs/heads/main', '--help'],
    ['refs/heads/main', 'main'],
  ])('believes no ref %s or commit %s', async (ref, after) => {
    const pushed = await send(client(), { ref, after });
    const build = await client().started(new URL(pushed.url).pathname);
    expect((await client().ended(build)).result).toBe('FAILURE');
    expect(await client().log(build)).not.toMatch(/usage:|unknown option/);
  });
});

// eslint-disable-next-line jest/no-done-callback -- the test's context
it('is done inside of the sandbox, where there is one', async context => {
  context.skip(isolationFault !== undefined, isolationFault);
  const url = await makeRepository();
  await addForkCommit(url);
  const host = await serveGit(bench.scratch);
  try {
    const client = await bench.start(
      [
        jobOf('cat file; git status; ls -la', {
          source: { repository: `${host.url}/shop.git`, branch: 'main' },
          webhook: { token: 'hello-webhook' },
        }),
      ],
      { isolation: { mode: 'required' }, git: { protocols: ['http'] } },
    );
    const build = await client.build('job');
    expect(build).toMatchObject({ result: 'SUCCESS', revision: commits[1] });
    const log = await client.log('/job/job/1/');
    expect(log).toContain('two');
    expect(log).toContain('nothing to commit');
  } finally {
    host.stop();
  }
});

describe('a branch that a parameter names', () => {
  const branches = ['fix/ü', 'a=b,c', '#', 'ünïcode/"quoted"', '-dash'];
  const client = sharedServer((shared, url) => {
    const bare = new URL(url).pathname;
    for (const branch of branches) {
      gitIn(bare, 'update-ref', `refs/heads/${branch}`, commits[0]);
    }
    return shared.start([
      jobOf('cat file; echo " $GIT_BRANCH"', {
        source: { repository: url, branch: 'main', branchFrom: 'BRANCH' },
        parameters: [{ name: 'BRANCH' }],
        webhook: { token: 'hello-webhook' },
      }),
    ]);
  });

  it.each(branches)(
    'builds the branch %s of a parameter and of a push',
    async branch => {
      const asked = await client().build('job', { BRANCH: branch });
      expect(asked).toMatchObject({ result: 'SUCCESS', revision: commits[0] });
      const pushed = await send(client(), {
        ref: `refs/heads/${branch}`,
        after: commits[0],
      });
      const build = await client().started(new URL(pushed.url).pathname);
      expect(await client().ended(build)).toMatchObject({
        result: 'SUCCESS',
        revision: commits[0],
      });
      expect(await client().log(build)).toContain(`one ${branch}`);
    },
  );

  it.each(['a..b', 'a b', 'a:b', '*', '^main', 'x.lock', '.x', '@{-1}', 'a~1'])(
    'takes %s for no branch',
    async branch => {
      expect(await client().build('job', { BRANCH: branch })).toMatchObject({
        result: 'FAILURE',
        reason: `Check out failed: '${branch}' is not a branch name`,
      });
    },
  );
});

it('fetches only the requested depth of the history', async () => {
  const url = await makeRepository();
  const count = 'git rev-list --count HEAD';
  const client = await bench.start([
    jobOf(count, { source: { repository: url } }),
    { ...jobOf(count, { source: { repository: url, depth: 0 } }), name: 'all' },
    {
      ...jobOf('cat file', {
        source: { repository: url },
        webhook: { token: 'hello-webhook' },
      }),
      name: 'older',
    },
  ]);
  await client.build('job');
  expect(await client.log('/job/job/1/')).toMatch(/^1$/m);
  await client.build('all');
  expect(await client.log('/job/all/1/')).toMatch(/^2$/m);
  const { body } = await client.json(
    '/generic-webhook-trigger/invoke?token=test-webhook-token',
    { ref: 'refs/heads/main', after: commits[0] },
  );
  const item = new URL(body.jobs.older.url).pathname;
  const older = await client.ended(await client.started(item));
  expect(older).toMatchObject({ result: 'SUCCESS', revision: commits[0] });
});

it('fetches more of the history in steps for a commit that is not the tip', async () => {
  const url = await makeRepository();
  const bare = new URL(url).pathname;
  // One process instead of one for each commit.
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: bare,
    input: Array.from({ length: 60 }, (_, index) =>
      [
        'commit refs/heads/main',
        `committer Ada <a@b> ${1_700_000_000 + index} +0000`,
        'data 4',
        'More',
        ...(index === 0 ? [`from ${commits[1]}`] : []),
        '',
      ].join('\n'),
    ).join('\n'),
  });
  const history = gitIn(bare, 'rev-list', '--reverse', 'main').split('\n');
  const client = await bench.start([
    jobOf('git rev-parse --is-shallow-repository', {
      source: { repository: url },
      webhook: { token: 'hello-webhook' },
    }),
  ]);
  for (const [number, [index, isShallow]] of [
    [history.length - 20, true],
    [0, false],
  ].entries()) {
    const after = history[Number(index)];
    const { body } = await client.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      { ref: 'refs/heads/main', after },
    );
    const item = new URL(body.jobs.job.url).pathname;
    const build = await client.ended(await client.started(item));
    expect(build).toMatchObject({ result: 'SUCCESS', revision: after });
    expect(await client.log(`/job/job/${number + 1}/`)).toContain(
      `\n${isShallow}\n`,
    );
  }
});

describe('a private repository', () => {
  const PASSWORD = 'p@ss:word/of-the-forge';
  const authorization = `Basic ${Buffer.from(`ci:${PASSWORD}`).toString('base64')}`;
  const show =
    'env; cat .git/config .git/FETCH_HEAD; tr "\\0" " " < /proc/$PPID/cmdline';

  it.each(['in its address', 'of a secret'])(
    'is opened by a password %s, which nobody sees',
    async where => {
      await makeRepository();
      const host = await serveGit(bench.scratch, { authorization });
      const address = new URL(`${host.url}/shop.git`);
      const plain = address.href;
      const isSecret = where === 'of a secret';
      if (!isSecret) {
        address.username = 'ci';
        address.password = PASSWORD;
      }
      try {
        const client = await bench.start(
          [
            jobOf(`${show}; echo "${PASSWORD}"`, {
              source: {
                repository: address.href,
                ...(isSecret && {
                  credentials: { username: 'ci', secret: 'forge' },
                }),
              },
            }),
          ],
          {
            git: { protocols: ['http'] },
            stepSecrets: { forge: { value: PASSWORD, jobs: ['job'] } },
          },
        );
        const build = await client.build('job');
        const log = await client.log('/job/job/1/');
        expect(build.result).toBe('SUCCESS');
        expect(log).toContain(`GIT_URL=${plain}\n`);
        const answers = await Promise.all(
          [
            '/api/json?depth=2',
            '/job/job/api/json?depth=2',
            '/job/job/1/api/json',
            '/queue/item/1/api/json',
            '/openapi.json',
          ].map(place => client.get(place)),
        );
        for (const text of [log, ...answers.map(answer => answer.text)]) {
          for (const form of [PASSWORD, encodeURIComponent(PASSWORD)]) {
            expect(text).not.toContain(form);
          }
        }
        expect(answers[1].body.repository).toBe(plain);
      } finally {
        host.stop();
      }
    },
  );

  it('fails with wrong credentials, without a prompt', async () => {
    await makeRepository();
    const host = await serveGit(bench.scratch, { authorization });
    try {
      const client = await bench.start(
        [
          jobOf('true', {
            source: {
              repository: `${host.url.replace('//', '//ci:wrong-password@')}/shop.git`,
            },
          }),
        ],
        { git: { protocols: ['http'] } },
      );
      expect((await client.build('job')).result).toBe('FAILURE');
      expect(await client.log('/job/job/1/')).not.toContain('wrong-password');
    } finally {
      host.stop();
    }
  });
});

it('fails where there is no such repository or protocol', async () => {
  const client = await bench.start([
    jobOf('true', { source: { repository: 'file:///no/such/repository' } }),
    {
      ...jobOf('true', { source: { repository: 'ext::sh -c touch' } }),
      name: 'other',
      source: { repository: 'https://127.0.0.1:1/x.git' },
    },
  ]);
  const build = await client.build('job');
  expect(build).toMatchObject({
    result: 'FAILURE',
    reason: expect.stringContaining('Check out failed: git fetch'),
  });
  expect(build.reason).toContain('/no/such/repository');
  // Not among the protocols that this server allows.
  await client.build('other');
  expect(await client.log('/job/other/1/')).toContain(
    "transport 'https' not allowed",
  );
});
