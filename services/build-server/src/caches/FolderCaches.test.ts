import type { Build, BuildSource } from '../builds/Build.ts';
import { CacheError } from '../execution/Exchange.ts';
import { JobCatalog } from '../jobs/JobCatalog.ts';
import { FolderCaches } from './FolderCaches.ts';

const SHOP = {
  name: 'shop',
  steps: [],
  source: { repository: 'https://forge.example.org/shop.git', branch: 'main' },
  pipelines: {},
};

/** Returns the scopes whose caches a build may read; it writes only the first. */
async function scopesOf(job: string, source: BuildSource): Promise<string[]> {
  let found: readonly string[] = [];
  const caches = new FolderCaches({
    directory: '/nowhere',
    limits: { maxBytes: 1, quotaBytes: 1, keepDays: 1 },
    store: {
      async find(_job: string, { scopes }: { scopes: readonly string[] }) {
        found = scopes;
      },
    } as never,
    builds: {
      findById: async () =>
        ({ job, source, parameters: {} }) as unknown as Build,
      isHeld: async () => true,
    },
    // The branches of the builds are gone.
    jobs: new JobCatalog([
      { file: 'shop.yaml', name: 'shop', job: SHOP, faults: [] },
    ]),
    now: Date.now,
  });
  const claim = { id: 1, attempt: 1, worker: 'one' };
  await caches.fetch(claim, { name: 'yarn', key: 'k' });
  return [...found];
}

it.each([
  ['shop/main', { ref: 'refs/heads/main' }, ['refs/heads/main']],
  [
    'shop/PR-7',
    {
      ref: 'refs/pull/7/head',
      pullRequest: { number: 7, isFork: true, base: 'next' },
    },
    ['pull/7', 'refs/heads/next', 'refs/heads/main'],
  ],
  ['shop/PR-7', { ref: 'refs/pull/7/head' }, ['pull/PR-7', 'refs/heads/main']],
  // Branches of that name have nothing in common.
  [
    'shop/fix/PR-7',
    { ref: 'refs/heads/fix/PR-7' },
    ['refs/heads/fix/PR-7', 'refs/heads/main'],
  ],
] as const)(
  'gives %s the caches of its scopes',
  async (job, source, scopes) => {
    expect(await scopesOf(job, { ...source, commits: [] })).toEqual(scopes);
  },
);

it('has none for builds of jobs that are gone', async () => {
  await expect(scopesOf('cart/main', { commits: [] })).rejects.toThrow(
    CacheError,
  );
});
