import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { Bench } from '../__testUtils__/Bench.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { serveGit } from '../__testUtils__/serveGit.ts';
import type { Build } from '../builds/Build.ts';
import type { BranchJob, Job } from '../jobs/Job.ts';
import { JobCatalog } from '../jobs/JobCatalog.ts';
import type { SkippedPush } from '../storage/SkipStore.ts';
import type { EventSource } from './eventReading.ts';
import { Revisions } from './Revisions.ts';

const REF = 'refs/heads/main';
/** A commit that every job has already built. */
const BUILT = 'b'.repeat(40);
const shop: Job = { name: 'shop', pipelines: {}, steps: [] };

function skipsOf() {
  const recorded = new Map<string, SkippedPush>();
  const branches = new Map<string, BranchJob>();
  const revisions = new Revisions({
    jobs: new JobCatalog([
      { file: 'shop.yaml', name: 'shop', job: shop, faults: [] },
    ]),
    branches: {
      list: async () => [...branches.values()],
      has: async name => branches.has(name),
      add: async branch => void branches.set(branch.name, branch),
      remove: async name => void branches.delete(name),
    },
    builds: {
      findNewestOf: async (_job, commit) =>
        commit === BUILT ? ({} as Build) : undefined,
    },
    skips: {
      find: async job => recorded.get(job),
      record: async (job, push) => {
        recorded.set(job, push);
      },
    },
    secrets: { checkoutOf: ({ repository }) => ({ repository }) },
    git: { protocols: ['http'] },
    path: process.env.PATH!,
    now: () => 7,
  });
  const decideOn = async (parent: Job, push: EventSource, withinMs: number) => {
    const found = await revisions.jobOf(parent, push, { withinMs });
    return 'reason' in found ? 'skip' : 'build';
  };
  const decide = (
    name: string,
    {
      repository,
      after,
      withinMs = 30_000,
    }: {
      repository: string;
      after: string;
      withinMs?: number;
    },
  ) =>
    decideOn(
      { name, source: { repository, branch: 'main' }, steps: [] },
      { source: { ref: REF, after, commits: [] }, isStrict: true },
      withinMs,
    );
  return { revisions, decideOn, decide, recorded };
}

describe('the message of a commit', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.open();
  });

  afterEach(() => bench.close());

  it('is read once for all jobs of a repository', async () => {
    gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', 'work');
    const work = path.join(bench.scratch, 'work');
    gitIn(work, 'commit', '--quiet', '--allow-empty', '-m', 'Fix [skip ci]');
    const after = gitIn(work, 'rev-parse', 'HEAD');
    const server = await serveGit(bench.scratch);
    const repository = `${server.url}/work/.git`;
    const { decide, recorded } = skipsOf();
    expect(await decide('a', { repository, after })).toBe('skip');
    const { length } = server.asked;
    expect(length).toBeGreaterThan(0);
    expect(await decide('b', { repository, after })).toBe('skip');
    // Also if the time of the delivery is over.
    expect(await decide('c', { repository, after, withinMs: 0 })).toBe('skip');
    expect(server.asked).toHaveLength(length);
    expect([...recorded.keys()]).toEqual(['a', 'b', 'c']);
    server.stop();
  });

  it('that its ref no longer has is built for a webhook, and left to the next poll', async () => {
    gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', 'work');
    const work = path.join(bench.scratch, 'work');
    const commit = (message: string) => {
      gitIn(work, 'commit', '--quiet', '--allow-empty', '-m', message);
      return gitIn(work, 'rev-parse', 'HEAD');
    };
    const after = commit('Fix [skip ci]');
    commit('Fix more');
    const server = await serveGit(bench.scratch);
    const source = { repository: `${server.url}/work/.git`, branch: 'main' };
    const { revisions, recorded } = skipsOf();
    const jobOf = (isPolled: boolean) =>
      revisions.jobOf(
        { name: 'a', source, steps: [] },
        { source: { ref: REF, after, commits: [] }, isStrict: true },
        { withinMs: 30_000, isPolled },
      );
    expect(await jobOf(false)).toMatchObject({ name: 'a' });
    expect(await jobOf(true)).toEqual({ reason: 'The ref has a newer commit' });
    expect(recorded.size).toBe(0);
    server.stop();
  });
});

it('builds a commit again for a webhook, but not if polling finds it', async () => {
  const { revisions } = skipsOf();
  const jobOf = (isPolled: boolean) =>
    revisions.jobOf(
      shop,
      { source: { ref: REF, after: BUILT, commits: [] }, isStrict: true },
      { withinMs: 0, isPolled },
    );
  expect(await jobOf(false)).toMatchObject({ name: 'shop/main' });
  expect(await jobOf(true)).toEqual({ reason: 'The commit was built' });
});

it('records the pull request of a commit, which someone may build by hand', async () => {
  const { decideOn, recorded } = skipsOf();
  const pullRequest = { number: 7, isFork: false, branch: 'fix' };
  const decision = await decideOn(
    shop,
    {
      source: { ref: 'refs/pull/7/head', commits: [], pullRequest },
      head: { title: 'Fix [skip ci]', isSkipped: true },
      isStrict: true,
    },
    0,
  );
  expect(decision).toBe('skip');
  expect(recorded.get('shop/PR-7')).toMatchObject({ pullRequest });
});

describe('a repository that does not respond', () => {
  let silent: Server;
  let repository: string;

  beforeEach(async () => {
    silent = createServer(socket => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    repository = `http://127.0.0.1:${port}/shop.git`;
  });

  afterEach(() => {
    silent.close();
  });

  const connections = () =>
    new Promise<number>((resolve, reject) => {
      silent.getConnections((error, count) =>
        error ? reject(error) : resolve(count),
      );
    });

  it('holds up no webhook, however many wait for it, and no program', async () => {
    const { decide, recorded } = skipsOf();
    const since = performance.now();
    const decisions = await Promise.all(
      Array.from({ length: 16 }, (_one, index) =>
        decide(`job-${index}`, {
          repository,
          after: String(index).padStart(40, '0'),
          withinMs: 2_000,
        }),
      ),
    );
    expect(new Set(decisions)).toEqual(new Set(['build']));
    // One after the other, four at once, they would take 8 s.
    expect(performance.now() - since).toBeLessThan(6_000);
    expect(recorded.size).toBe(0);
    await vi.waitFor(async () => expect(await connections()).toBe(0), 5_000);
  });
});
