import type { Build } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import { JobCatalog } from '../jobs/JobCatalog.ts';
import { downstreamOf } from './Downstream.ts';

/** A job that runs after others. */
function job(name: string, after: string[]): Job {
  return {
    name,
    after: after.map(one => ({ job: one })),
    steps: [{ name: 'Run', run: 'true' }],
  };
}

/** Runs everything that a build of a job triggers. @returns the jobs, in this order. */
function chainFrom(first: string, jobs: readonly Job[]): string[] {
  const catalog = new JobCatalog(
    jobs.map(one => ({ file: one.name, name: one.name, job: one, faults: [] })),
  );
  const ran: string[] = [];
  const waiting: Pick<Build, 'job' | 'upstream'>[] = [
    { job: first, upstream: null },
  ];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    ran.push(next.job);
    const ended = { ...next, id: 1, number: 1, result: 'SUCCESS' };
    const builds = downstreamOf({ ...ended, parameters: {} } as Build, {
      jobs: catalog,
      now: () => 0,
    });
    waiting.push(
      ...builds.map(build => ({ ...build, upstream: build.upstream ?? null })),
    );
  }
  return ran;
}

it('runs each job of a cycle once', () => {
  const cycle = [job('a', ['c']), job('b', ['a']), job('c', ['b'])];
  expect(chainFrom('a', cycle)).toEqual(['a', 'b', 'c']);
  expect(chainFrom('a', [job('a', ['a'])])).toEqual(['a']);
});

it('ends where jobs all trigger each other, and after ten in a row', () => {
  const names = ['a', 'b', 'c', 'd'];
  const all = names.map(name => job(name, names));
  // Each way through the four without repetition.
  expect(chainFrom('a', all)).toHaveLength(1 + 3 + 6 + 6);
  const row = Array.from({ length: 20 }, (_, index) =>
    job(`${index}`, [`${index - 1}`]),
  );
  expect(chainFrom('0', row)).toHaveLength(11);
});
