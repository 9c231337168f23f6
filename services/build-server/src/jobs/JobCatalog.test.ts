import type { Job } from './Job.ts';
import { JobCatalog } from './JobCatalog.ts';

const shop: Job = {
  name: 'shop',
  owner: 'group:default/payments',
  after: [{ job: 'library' }],
  schedule: ['@daily'],
  webhook: { token: 'a-token' },
  pipelines: {},
  steps: [],
};
const main = {
  name: 'shop/main',
  parent: 'shop',
  ref: 'refs/heads/main',
  pullRequest: null,
};
const valid = { file: 'shop.yaml', name: 'shop', job: shop, faults: [] };
const faulty = {
  file: 'shop.yaml',
  name: 'shop',
  job: undefined,
  faults: [{ message: 'steps is required', line: 1, column: 1 }],
};

it('gives the job of a branch no triggers of its own', () => {
  const jobs = new JobCatalog([valid]);
  jobs.replaceBranches([main]);
  expect(jobs.get('shop/main')).toEqual({
    name: 'shop/main',
    owner: 'group:default/payments',
    pipelines: {},
    steps: [],
  });
});

it('keeps the jobs of branches, disabled, while their file has faults since the start', () => {
  const jobs = new JobCatalog([faulty]);
  jobs.replaceBranches([main]);
  expect(jobs.all().map(({ name }) => name)).toEqual(['shop', 'shop/main']);
  expect(jobs.enabled()).toEqual([]);
  expect(jobs.disabledReason('shop/main')).toBe(
    'is disabled: shop.yaml line 1: steps is required',
  );
  jobs.replace([valid]);
  expect(jobs.enabled().map(({ name }) => name)).toEqual(['shop', 'shop/main']);
});

it('forgets the jobs of branches if the job no longer has pipelines', () => {
  const { pipelines, ...plain } = shop;
  const jobs = new JobCatalog([{ ...valid, job: plain }]);
  jobs.replaceBranches([main]);
  expect(jobs.find('shop/main')).toBeUndefined();
});

it('knows the job of the main branch', () => {
  const jobs = new JobCatalog([valid]);
  expect(jobs.mainBranchOf('shop')).toBeUndefined();
  const request = { ...main, name: 'shop/PR-1', pullRequest: 1 };
  jobs.replaceBranches([request, main]);
  expect(jobs.mainBranchOf('shop')).toBe(main);
  const source = { repository: 'file:///shop.git', branch: 'trunk' };
  jobs.replace([{ ...valid, job: { ...shop, source } }]);
  expect(jobs.mainBranchOf('shop')).toBeUndefined();
});

it('finds the job of a build whose branch is gone', () => {
  const jobs = new JobCatalog([valid]);
  expect(jobs.find('shop/main')).toBeUndefined();
  expect(jobs.findOfBuild('shop/main')).toMatchObject({
    name: 'shop/main',
    owner: 'group:default/payments',
  });
  expect(jobs.findOfBuild('other/main')).toBeUndefined();
});
