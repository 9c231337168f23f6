import { fakeLogger } from '@slipway/service-kit/testing';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Bench } from '../__testUtils__/Bench.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { serveGit } from '../__testUtils__/serveGit.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { PullForge } from '../__testUtils__/PullForge.ts';
import type { ForgeOptions } from '../config.ts';

// The server polls every second. Checks less often than usual, because each takes several milliseconds
// of processor time.
const WAIT = { timeout: 60_000, interval: 300 };

/** Contains a repository that every test copies. */
let template: string;
let bench: Bench;
let host: Awaited<ReturnType<typeof serveGit>>;
let forge: PullForge;
let server: TestServer;
let client: BuildClient;
let warnings: string[];

const git = (...args: string[]) =>
  gitIn(path.join(bench.scratch, 'work'), ...args);

/** Commits, and pushes the commit as a forge stores the head of a request. @returns its id. */
function pushRequest(ref: string): string {
  git('commit', '--quiet', '--allow-empty', '-m', `Change ${ref}`);
  git('push', '--quiet', '--force', '../shop.git', `HEAD:${ref}`);
  return git('rev-parse', 'HEAD');
}

/** Returns the names of all jobs. */
async function jobNames(): Promise<string[]> {
  const { body } = await client.get('/api/json');
  return body.jobs.map(({ name }: { name: string }) => name);
}

/** Returns number, result and commit of each build of a job, newest first. */
async function buildsOf(job: string): Promise<unknown[]> {
  const { status, body } = await client.get(
    `/job/${encodeURIComponent(job)}/api/json?depth=1`,
  );
  return status === 200
    ? body.builds.map(
        (build: { number: number; result: string; revision: string }) => [
          build.number,
          build.result,
          build.revision,
        ],
      )
    : [];
}

beforeAll(async () => {
  template = await mkdtemp(path.join(tmpdir(), 'build-template-'));
  const work = path.join(template, 'work');
  await mkdir(path.join(work, '.slipway'), { recursive: true });
  gitIn(template, 'init', '--quiet', '-b', 'main', work);
  await writeFile(
    path.join(work, '.slipway/ci.yaml'),
    'name: ci\nsteps: [{ name: Test, run: "true" }]\n',
  );
  gitIn(work, 'add', '.');
  gitIn(work, 'commit', '--quiet', '-m', 'Begin');
  gitIn(template, 'clone', '--quiet', '--bare', 'work', 'shop.git');
});

afterAll(() => rm(template, { recursive: true, force: true }));

beforeEach(async () => {
  bench = await Bench.open();
  await cp(template, bench.scratch, { recursive: true });
  // The same repository where Bitbucket Cloud and Bitbucket Server serve it.
  await symlink('.', path.join(bench.scratch, 'acme'));
  await symlink('.', path.join(bench.scratch, 'scm'));
  host = await serveGit(bench.scratch);
});

afterEach(async () => {
  await server?.stop();
  forge?.stop();
  host.stop();
  await bench.close();
});

const PLACES: Partial<Record<ForgeOptions['kind'], string>> = {
  'bitbucket-cloud': 'acme/shop.git',
  'bitbucket-server': 'scm/acme/shop.git',
};

async function start(
  kind: ForgeOptions['kind'],
  pipelines: object,
): Promise<void> {
  forge = await PullForge.start(kind);
  const fake = fakeLogger();
  ({ warnings } = fake);
  server = await startBuildServer({
    logger: fake.logger,
    jobs: [
      {
        name: 'shop',
        source: {
          repository: `${host.url}/${PLACES[kind] ?? 'shop.git'}`,
          branch: 'main',
        },
        webhook: { token: 'hello-webhook' },
        pipelines,
        publicBadge: true,
      } as never,
    ],
    config: {
      pollSeconds: 1,
      git: { protocols: ['http'] },
      forges: {
        ours: { kind, url: host.url, apiUrl: forge.url, token: 'forge-token' },
      },
    },
  });
  client = new BuildClient(server.url);
}

it.each([
  ['github', 'refs/pull/7/head', 'refs/pull/8/head'],
  ['gitlab', 'refs/merge-requests/7/head', 'refs/merge-requests/8/head'],
  ['gitea', 'refs/pull/7/head', 'refs/pull/8/head'],
  ['forgejo', 'refs/pull/7/head', 'refs/pull/8/head'],
  [
    'bitbucket-server',
    'refs/pull-requests/7/from',
    'refs/pull-requests/8/from',
  ],
] as const)(
  'makes up for missed webhooks of pull requests of %s',
  async (kind, ref, other) => {
    await start(kind, {});
    const first = pushRequest(ref);
    const fork = pushRequest(other);
    forge.requests = [
      { number: 7, sha: first, branch: 'feature/cart' },
      { number: 8, sha: fork, branch: 'main', isFork: true },
    ];
    await vi.waitFor(
      async () =>
        expect(await buildsOf('shop/PR-7')).toEqual([[1, 'SUCCESS', first]]),
      WAIT,
    );
    const { body } = await client.get('/job/shop%2FPR-7/1/api/json');
    expect(JSON.stringify(body)).toContain('Found by polling');
    const next = pushRequest(ref);
    forge.requests[0].sha = next;
    await vi.waitFor(
      async () =>
        expect(await buildsOf('shop/PR-7')).toEqual([
          [2, 'SUCCESS', next],
          [1, 'SUCCESS', first],
        ]),
      WAIT,
    );
    // The request from the fork has no job, as by default.
    expect(await jobNames()).toEqual(['shop', 'shop/main', 'shop/PR-7']);
    forge.requests = [];
    await vi.waitFor(
      async () => expect(await jobNames()).toEqual(['shop', 'shop/main']),
      WAIT,
    );
    // The badge of the job is that of its main branch.
    await vi.waitFor(
      async () =>
        expect((await client.get('/job/shop/badge.svg')).text).toContain(
          'passing',
        ),
      WAIT,
    );
    expect(forge.refused).toEqual([]);
  },
);

it('keeps the jobs of pull requests while the forge does not respond', async () => {
  await start('github', { pullRequests: 'all' });
  const sha = pushRequest('refs/pull/8/head');
  forge.requests = [{ number: 8, sha, branch: 'main', isFork: true }];
  await vi.waitFor(
    async () =>
      expect(await buildsOf('shop/PR-8')).toEqual([[1, 'SUCCESS', sha]]),
    WAIT,
  );
  forge.requests = [];
  forge.status = 503;
  // Branches are polled anyway.
  const pushed = pushRequest('refs/heads/later');
  await vi.waitFor(
    async () =>
      expect(await buildsOf('shop/later')).toEqual([[1, 'SUCCESS', pushed]]),
    WAIT,
  );
  expect(await jobNames()).toContain('shop/PR-8');
  forge.status = 200;
  await vi.waitFor(
    async () => expect(await jobNames()).not.toContain('shop/PR-8'),
    WAIT,
  );
});

it('builds the branches of pull requests of Bitbucket Cloud', async () => {
  await start('bitbucket-cloud', { pullRequests: 'all' });
  const first = pushRequest('refs/heads/feature/cart');
  forge.requests = [
    { number: 7, sha: first, branch: 'feature/cart' },
    { number: 8, sha: first, branch: 'main', isFork: true, isGone: true },
    { number: 9, sha: 'd'.repeat(40), branch: 'feature/cart' },
  ];
  await vi.waitFor(
    async () =>
      expect(await buildsOf('shop/PR-7')).toEqual([[1, 'SUCCESS', first]]),
    WAIT,
  );
  const { body } = await client.get('/job/shop%2FPR-7/1/api/json');
  expect(body.pullRequest).toEqual({
    number: 7,
    isFork: false,
    base: 'main',
    branch: 'feature/cart',
    title: 'Add feature/cart',
    url: 'https://bitbucket.org/acme/shop/pull-requests/7',
  });
  expect((await client.get('/job/shop%2FPR-7/api/json')).body).toMatchObject({
    ...{ parent: 'shop', pullRequest: 7, pullRequestTitle: 'Add feature/cart' },
  });
  const next = pushRequest('refs/heads/feature/cart');
  forge.requests[0].sha = next;
  await vi.waitFor(
    async () =>
      expect(await buildsOf('shop/PR-7')).toEqual([
        [2, 'SUCCESS', next],
        [1, 'SUCCESS', first],
      ]),
    WAIT,
  );
  // The branch has a job of its own, as at the other forges.
  expect(await jobNames()).toEqual([
    'shop',
    'shop/feature/cart',
    'shop/main',
    'shop/PR-7',
  ]);
  expect(warnings.filter(text => text.includes('pull request'))).toEqual([
    'A pull request is not built: Its fork is gone',
  ]);
  forge.requests = [];
  await vi.waitFor(
    async () => expect(await jobNames()).not.toContain('shop/PR-7'),
    WAIT,
  );
  expect(forge.refused).toEqual([]);
});

describe('a fork at Bitbucket Cloud', () => {
  /** Pushes a commit only to the fork, on a branch with the name of one in the repository. */
  function pushToFork(): string {
    git('commit', '--quiet', '--allow-empty', '-m', 'Change the fork');
    git('push', '--quiet', '--force', '../ada/shop.git', 'HEAD:main');
    return git('rev-parse', 'HEAD');
  }

  beforeEach(() =>
    git('clone', '--quiet', '--bare', '../shop.git', '../ada/shop.git'),
  );

  it('is where the commits of its pull requests are fetched', async () => {
    await start('bitbucket-cloud', { pullRequests: 'all' });
    const first = pushToFork();
    forge.requests = [{ number: 8, sha: first, branch: 'main', isFork: true }];
    await vi.waitFor(
      async () =>
        expect(await buildsOf('shop/PR-8')).toEqual([[1, 'SUCCESS', first]]),
      WAIT,
    );
    const { body } = await client.get('/job/shop%2FPR-8/1/api/json');
    expect(body.pullRequest).toMatchObject({ isFork: true, fork: 'ada/shop' });
    const next = pushToFork();
    forge.requests[0].sha = next;
    await vi.waitFor(
      async () =>
        expect(await buildsOf('shop/PR-8')).toEqual([
          [2, 'SUCCESS', next],
          [1, 'SUCCESS', first],
        ]),
      WAIT,
    );
    // By hand, the job builds what the fork has, not the branch of the same name.
    expect(await client.build('shop%2FPR-8')).toMatchObject({
      ...{ number: 3, result: 'SUCCESS', revision: next },
    });
    await vi.waitFor(
      () =>
        expect(forge.statuses).toContain(
          `/repositories/ada/shop/commit/${next}/statuses/build`,
        ),
      WAIT,
    );
    expect(forge.refused).toEqual([]);
  });

  it('is asked again only for commits that are not built', async () => {
    await start('bitbucket-cloud', { pullRequests: 'all' });
    const sha = pushToFork();
    const listed = { sha, branch: 'main', isFork: true };
    forge.requests = [
      { ...listed, number: 8 },
      { ...listed, number: 9 },
    ];
    for (const number of [8, 9]) {
      await vi.waitFor(
        async () =>
          expect(await buildsOf(`shop/PR-${number}`)).toEqual([
            [1, 'SUCCESS', sha],
          ]),
        WAIT,
      );
    }
    const polls = async (count: number) => {
      // Each of the two requests is on its own page.
      const calls = forge.calls + 2 * count;
      await vi.waitFor(() => expect(forge.calls).toBeGreaterThan(calls), WAIT);
    };
    await polls(1);
    const asked = () =>
      host.asked.filter(one => one.startsWith('/ada/')).length;
    const before = asked();
    await polls(2);
    expect(asked()).toBe(before);
    const next = pushToFork();
    forge.requests[1].sha = next;
    await vi.waitFor(
      async () =>
        expect(await buildsOf('shop/PR-9')).toEqual([
          [2, 'SUCCESS', next],
          [1, 'SUCCESS', sha],
        ]),
      WAIT,
    );
  });

  it('is not read by a job that does not build forks', async () => {
    await start('bitbucket-cloud', {});
    const own = pushRequest('refs/heads/feature/cart');
    forge.requests = [
      { number: 8, sha: pushToFork(), branch: 'main', isFork: true },
      { number: 9, sha: own, branch: 'feature/cart' },
    ];
    await vi.waitFor(
      async () => expect(await jobNames()).toContain('shop/PR-9'),
      WAIT,
    );
    expect(await jobNames()).not.toContain('shop/PR-8');
  });

  it('is told once if it cannot be read, and stops no other pull request', async () => {
    await start('bitbucket-cloud', { pullRequests: 'all' });
    const own = pushRequest('refs/heads/feature/cart');
    await rm(path.join(bench.scratch, 'ada'), { recursive: true });
    forge.requests = [
      { number: 8, sha: own, branch: 'main', isFork: true },
      { number: 9, sha: own, branch: 'feature/cart' },
    ];
    await vi.waitFor(
      async () =>
        expect(await buildsOf('shop/PR-9')).toEqual([[1, 'SUCCESS', own]]),
      WAIT,
    );
    expect(await jobNames()).not.toContain('shop/PR-8');
    expect(warnings.filter(text => text.includes('pull request'))).toEqual([
      'A pull request is not built: Its fork cannot be read',
    ]);
  });
});

it('follows no pages to another server', async () => {
  const elsewhere = await PullForge.start('bitbucket-cloud');
  await start('bitbucket-cloud', {});
  const sha = pushRequest('refs/heads/feature/cart');
  forge.requests = [
    { number: 7, sha, branch: 'feature/cart' },
    { number: 8, sha, branch: 'feature/cart' },
  ];
  await vi.waitFor(
    async () => expect(await jobNames()).toContain('shop/PR-8'),
    WAIT,
  );
  forge.pagesAt = elsewhere.url;
  await vi.waitFor(
    () =>
      expect(warnings).toContain(
        'The pull requests of a repository were not polled',
      ),
    WAIT,
  );
  expect(await jobNames()).toContain('shop/PR-8');
  expect(elsewhere.calls).toBe(0);
  elsewhere.stop();
});
