import type { JobRules } from '../jobs/checkJob.ts';
import type { Job } from '../jobs/Job.ts';
import { type PlannedStep, planSteps } from '../jobs/planSteps.ts';
import { readJobFile } from '../jobs/readJobFile.ts';
import type { LocalPlace } from './local/LocalExecutor.ts';

/** What the files of a commit ask to be run. */
export interface Pipelines {
  plan: PlannedStep[];
  junit: string[];
  artifacts: string[];
  /** Files with faults, which are left out. */
  faulty: { file: string; message: string }[];
}

/** Folder of the files in a repository. */
export const PIPELINE_FOLDER = '.slipway';

/**
 * Reads the pipelines of the commit that is checked out, each of which is a job file whose steps
 * run beside those of the others.
 *
 * @param job - of the server, whose repository it is.
 */
export async function readPipelines(
  place: Pick<LocalPlace, 'read'>,
  job: Job,
  rules: Omit<JobRules, 'repositoryOf'>,
): Promise<Pipelines> {
  const folder = job.pipelines?.folder ?? PIPELINE_FOLDER;
  const files = await place.read([`${folder}/*.yaml`, `${folder}/*.yml`]);
  const [repositoryOf] = job.name.split('/');
  const pipelines: Pipelines = {
    plan: [],
    junit: [],
    artifacts: [],
    faulty: [],
  };
  const isOne = files.length === 1;
  files.sort((one, other) => one.path.localeCompare(other.path));
  for (const { path: file, text } of files) {
    const read = readJobFile(text, { ...rules, repositoryOf });
    if ('faults' in read) {
      const [{ message, line, column }] = read.faults;
      const where = `line ${line}, column ${column}: ${message}`;
      pipelines.faulty.push({ file, message: where });
      continue;
    }
    const { name, environment, steps, junit = [], artifacts = [] } = read.job;
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
  }
  return pipelines;
}
