import type { NewBuild, PullRequest } from '../builds/Build.ts';
import { BuildTriggers } from './BuildTriggers.ts';

/** Runs the job of a pull request by hand. @returns what its build knows about the pull request. */
async function runByHand(events: {
  built?: PullRequest;
  skipped?: PullRequest;
}): Promise<PullRequest | undefined> {
  const { built, skipped } = events;
  let queued: NewBuild | undefined;
  const triggers = new BuildTriggers({
    store: {
      list: async () => (built ? [{ source: { pullRequest: built } }] : []),
      async enqueue(build: NewBuild) {
        queued = build;
        return { build: { state: 'queued' }, isNew: true };
      },
    },
    skips: {
      find: async () =>
        skipped && {
          ...{ commit: null, title: '', ref: null, at: 1 },
          pullRequest: skipped,
        },
    },
    jobs: {
      assertEnabled() {},
      branchOf: () => ({ ref: 'refs/pull/7/head', pullRequest: 7 }),
    },
    worker: { wake() {} },
    load: { during: <T>(work: () => Promise<T>) => work() },
    now: () => 1,
  } as unknown as ConstructorParameters<typeof BuildTriggers>[0]);
  await triggers.trigger({
    job: { name: 'shop/PR-7', steps: [] },
    ...{ parameters: new Map(), cause: 'Started by dev' },
  });
  return queued?.source?.pullRequest;
}

describe('a pull request that is built by hand', () => {
  const own: PullRequest = { number: 7, isFork: false, branch: 'fix' };

  it('is what the event of its last build said', async () => {
    const skipped = { ...own, branch: 'older' };
    expect(await runByHand({ built: own, skipped })).toEqual(own);
  });

  it('is what its event said, if its commits were only skipped', async () => {
    expect(await runByHand({ skipped: own })).toEqual(own);
  });

  it('counts as that of a fork without an event', async () => {
    expect(await runByHand({})).toEqual({ number: 7, isFork: true });
  });
});
