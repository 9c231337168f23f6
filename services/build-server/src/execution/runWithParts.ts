import type { JobCache, JobService } from '../jobs/JobParts.ts';
import type { PlannedStep } from '../jobs/planSteps.ts';
import type { Attendance } from './Attendance.ts';
import { fetchArtifacts } from './fetchArtifacts.ts';
import type { PlacedBuild } from './PlacedBuild.ts';
import { runPlan } from './runPlan.ts';
import { startServices } from './runServices.ts';
import { restoreCaches, saveCaches } from './transferCaches.ts';

/**
 * Runs steps with the artifacts of other jobs, caches and services of the job.
 *
 * @param options.first - position of the first step in the progress of the build.
 * @returns why the first failed part failed.
 * @throws Interruption
 */
export async function runWithParts(
  placed: PlacedBuild,
  plan: readonly PlannedStep[],
  options: {
    first: number;
    cache?: readonly JobCache[];
    services?: readonly JobService[];
    signal: AbortSignal;
    attendance: Attendance;
  },
): Promise<string | null> {
  const { cache = [], services = [], signal } = options;
  const { artifactsFrom = [] } = placed.job;
  // A build that resumes has the files already; its caches are saved by the next build.
  const unfetched = placed.isResumed
    ? null
    : await fetchArtifacts(placed, artifactsFrom, signal);
  if (unfetched !== null) {
    return `Artifacts are missing: ${unfetched}`;
  }
  const unsaved = placed.isResumed
    ? []
    : await restoreCaches(placed, cache, signal);
  const running = await startServices(placed, services, signal);
  let failure: string | null;
  try {
    failure = running.failure ?? (await runPlan(placed, plan, options));
  } finally {
    await running.stop();
  }
  if (failure === null) {
    await saveCaches(placed, unsaved, signal);
  }
  return failure;
}
