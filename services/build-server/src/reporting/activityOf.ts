import type { Build } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';

/** A build as the SPACE metrics take it: `POST /api/v1/activity/events`. */
export function activityOf(
  build: Build & { finishedAt: number },
  options: { job: Job; source: string },
): object {
  const { job, source } = options;
  return {
    source: source.slice(0, 128),
    events: [
      {
        id: `${build.job}#${build.number}`,
        kind: 'build',
        result: build.result,
        timestamp: new Date(build.finishedAt).toISOString(),
        ...(job.owner !== undefined && { team: job.owner }),
      },
    ],
  };
}
