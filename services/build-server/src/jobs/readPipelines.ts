import path from 'node:path';
import type { JobRules } from './checkJob.ts';
import type { Job } from './Job.ts';
import type { JobCache, JobService } from './JobParts.ts';
import { type PlannedStep, planSteps } from './planSteps.ts';
import { countOf, inOrder, type JobFault, readJobFile } from './readJobFile.ts';

/** The pipelines of a commit. */
interface Pipelines {
  plan: PlannedStep[];
  junit: string[];
  artifacts: string[];
  cache: JobCache[];
  services: JobService[];
  /** Invalid files, which are skipped. */
  faulty: { file: string; faults: JobFault[] }[];
}

/** Default folder of the pipeline files in a repository. */
export const PIPELINE_FOLDER = '.slipway';

/** Returns the folder of the pipeline files of a job's repository. */
export function pipelineFolderOf({
  pipelines,
}: Pick<Job, 'pipelines'>): string {
  return pipelines?.folder ?? PIPELINE_FOLDER;
}

/**
 * Reads the pipelines of a commit, each of which is a job file whose steps run in parallel to those
 * of the others.
 *
 * @param files - all files directly in the folder of pipelines.
 * @param job - the server's job of the repository.
 */
export function readPipelines(
  files: readonly { path: string; text: string }[],
  job: Job,
  rules: Omit<JobRules, 'repositoryOf'>,
): Pipelines {
  const [repositoryOf] = job.name.split('/');
  const pipelines: Pipelines = {
    plan: [],
    junit: [],
    artifacts: [],
    cache: [],
    services: [],
    faulty: [],
  };
  const isOne = files.length === 1;
  const labels = new Set<string>();
  const sorted = files.toSorted((one, other) =>
    one.path.localeCompare(other.path),
  );
  for (const { path: file, text } of sorted) {
    const read = readJobFile(text, { ...rules, repositoryOf });
    if ('faults' in read) {
      pipelines.faulty.push({ file, faults: inOrder(read.faults) });
      continue;
    }
    const { environment, steps, junit = [], artifacts = [] } = read.job;
    // Step names must differ, because they identify approvals, among other things.
    const name = labels.has(read.job.name)
      ? `${read.job.name} (${path.posix.basename(file)})`
      : read.job.name;
    labels.add(name);
    const planned = planSteps(steps);
    const before = pipelines.plan.length;
    for (const one of 'plan' in planned ? planned.plan : []) {
      pipelines.plan.push({
        ...one,
        name: isOne ? one.name : `${name}: ${one.name}`,
        step: {
          ...one.step,
          environment: { ...environment, ...one.step.environment },
        },
        needs: one.needs.map(need => need + before),
      });
    }
    pipelines.junit.push(...junit);
    pipelines.artifacts.push(...artifacts);
    // Pipelines may share a cache; each has its own services.
    const { cache = [], services = [] } = read.job;
    const names = new Set(pipelines.cache.map(one => one.name));
    pipelines.cache.push(...cache.filter(one => !names.has(one.name)));
    pipelines.services.push(...services);
  }
  return pipelines;
}

/** Describes where a fault is, and what it is. */
export function faultText({ line, column, message }: JobFault): string {
  return `line ${line}, column ${column}: ${message}`;
}

/** Describes the faults of a file, in one line: the first, and how many more there are. */
export function faultsText([first, ...rest]: readonly JobFault[]): string {
  return `${faultText(first)}${countOf(rest)}`;
}
