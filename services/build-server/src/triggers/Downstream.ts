import { InvalidRequestError } from '@slipway/service-kit';
import type { Build, NewBuild } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { readParameters } from '../jobs/readParameters.ts';

/** The maximum length of a chain of triggered builds. */
const MAX_DEPTH = 10;

/**
 * Lists the builds to queue when a build has ended: those of downstream jobs. A job that is
 * already in the chain is not triggered again, so that jobs in a cycle run once.
 */
export function downstreamOf(
  build: Build,
  { jobs, now }: { jobs: Pick<JobCatalog, 'enabled'>; now: () => number },
): NewBuild[] {
  const { job: name, number, result, upstream } = build;
  const depth = (upstream?.depth ?? 0) + 1;
  const chain = [...(upstream?.chain ?? []), name];
  if (depth > MAX_DEPTH) {
    return [];
  }
  return jobs
    .enabled()
    .filter(
      ({ name: next, after = [] }) =>
        !chain.includes(next) &&
        after.some(
          ({ job, results = ['SUCCESS'] }) =>
            job === name && results.some(one => one === result),
        ),
    )
    .map(job => {
      const queuedAt = now();
      return {
        job: job.name,
        cause: `Triggered by ${name} #${number}`,
        kind: 'upstream',
        upstream: { job: name, number, depth, chain },
        group: job.concurrency?.group ?? null,
        triggeredBy: null,
        parameters: parametersOf(job, build),
        source: null,
        delivery: `upstream:${build.id}`,
        queuedAt,
        dueAt: queuedAt,
        joinsWaiting: false,
      };
    });
}

/** Returns the values of the parameters that both jobs have, if all are valid; otherwise none. */
function parametersOf(job: Job, { parameters }: Build): Record<string, string> {
  const given = Object.entries(parameters).map(
    ([name, value]) => [name, [value]] as const,
  );
  try {
    return readParameters(job, new Map(given));
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) {
      throw error;
    }
    // A job with a required parameter and `after` is invalid.
    return readParameters(job, new Map());
  }
}
