import type { StartedBuild } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';

/**
 * The variables of every command of a build, beside those of the place it runs in.
 * Values of parameters are in here and nowhere else: no script is made of them.
 */
export function buildEnvironment(
  build: StartedBuild,
  options: { job: Job; url: string },
): Record<string, string> {
  const { job, url } = options;
  const { source, number } = build;
  return {
    ...job.environment,
    ...build.parameters,
    CI: 'true',
    JOB_NAME: build.job,
    BUILD_NUMBER: String(number),
    BUILD_ID: String(build.id),
    BUILD_URL: url,
    ...defined({
      GIT_URL: job.source?.repository,
      GIT_COMMIT: source?.after,
      GIT_PREVIOUS_COMMIT: source?.before,
      GIT_REF: source?.ref,
      GIT_BRANCH: source?.ref?.replace(/^refs\/(?:heads|tags)\//, ''),
    }),
  };
}

function defined(
  values: Record<string, string | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
