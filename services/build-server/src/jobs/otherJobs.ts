import { type Fault, fault } from './checkSteps.ts';
import { type Job, mainRefsOf } from './Job.ts';
import { nearest } from './nearest.ts';

/** The jobs that others may refer to, by name; undefined for one whose file has faults. */
export type KnownJobs = ReadonlyMap<
  string,
  Pick<Job, 'source' | 'pipelines'> | undefined
>;

/**
 * Returns the faults of references to jobs, in `after` and `artifactsFrom`, that can never have a
 * build. The server accepts them, because a job's file may be added after those that name it.
 */
export function otherJobFaults(
  { after = [], artifactsFrom = [] }: Job,
  known: KnownJobs,
): Fault[] {
  const named = [
    ...after.map(({ job }, index) => [`after.${index}.job`, job]),
    ...artifactsFrom.map(({ job }, index) => [
      `artifactsFrom.${index}.job`,
      job,
    ]),
  ];
  return named.flatMap(([at, job]) => {
    const what = missing(job, known);
    return what === undefined ? [] : [fault(at, `: ${what}`)];
  });
}

function missing(name: string, known: KnownJobs): string | undefined {
  const [parent, ...names] = name.split('/');
  const branch = names.join('/');
  if (!known.has(parent)) {
    const near = nearest(parent, [...known.keys()]);
    const guess = near === undefined ? '' : `; is ${near} meant?`;
    return `no file of this folder describes a job ${parent}${guess}`;
  }
  const job = known.get(parent);
  if (!job) {
    return undefined;
  }
  if (!job.pipelines) {
    return branch === ''
      ? undefined
      : `${parent} has no pipelines, and therefore no jobs of its branches`;
  }
  const mains = mainRefsOf(job).map(ref => ref.replace('refs/heads/', ''));
  const [main] = mains;
  if (branch === '') {
    return `${parent} itself builds only tags and what people start; its main branch is ${parent}/${main}`;
  }
  // In Git, the name of a branch cannot begin with that of another branch and a slash.
  const above = mains.find(one => branch.startsWith(`${one}/`));
  return above === undefined
    ? undefined
    : `the pipelines of a commit are one build, here of ${parent}/${above}`;
}
