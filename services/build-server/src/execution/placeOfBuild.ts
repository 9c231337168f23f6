import type { StartedBuild } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { Executor, Place } from './Executor.ts';
import { buildVariables } from './PlacedBuild.ts';
import type { WorkerLogger } from './Worker.ts';

/** The parts that the place of a build is opened with. */
export interface PlaceParts {
  /** Identifies this process. */
  worker: string;
  executor: Executor;
  /** Variables of every build, which jobs may replace. */
  environment?: Readonly<Record<string, string>>;
  /** Returns the address of the page of a build. */
  urlOf(build: StartedBuild): string;
}

/** Checks whether an earlier attempt ran steps whose files are still there. */
export function isResumed({ steps }: StartedBuild): boolean {
  return steps.length > 0;
}

/** Opens the place of a build. Its failure is handled where it is awaited. */
export function openPlace(
  build: StartedBuild,
  { job, parts }: { job: Job; parts: PlaceParts },
): Promise<Place> {
  const opening = parts.executor.open({
    id: build.id,
    worker: parts.worker,
    attempt: build.attempt,
    image: job.container?.image,
    limits: job.limits,
    resumes: isResumed(build),
    environment: {
      ...parts.environment,
      ...buildVariables(build, { job, url: parts.urlOf(build) }),
    },
  });
  opening.catch(() => undefined);
  return opening;
}

/** Closes the place of a build. What cannot be removed does not change what the build has achieved. */
export async function closePlace(
  place: Place,
  build: StartedBuild,
  { keepsFiles, logger }: { keepsFiles?: boolean; logger: WorkerLogger },
): Promise<void> {
  await place.close({ keepsFiles }).catch((error: unknown) => {
    const name = `${build.job} #${build.number}`;
    logger.warn({ err: error, build: name }, 'Files of a build are left');
  });
}
