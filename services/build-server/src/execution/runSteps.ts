import { isResumed } from '../builds/Build.ts';
import { timeoutMsOf } from '../jobs/Job.ts';
import type { JobCache, JobService } from '../jobs/JobParts.ts';
import type { PlannedStep } from '../jobs/planSteps.ts';
import {
  faultsText,
  faultText,
  pipelineFolderOf,
  readPipelines,
} from '../jobs/readPipelines.ts';
import { StepActivity } from './StepActivity.ts';
import { checkOut } from './checkOut.ts';
import { type Interruption, within } from './commands.ts';
import { fetchArtifacts } from './fetchArtifacts.ts';
import { CheckoutError } from './git.ts';
import type { PlacedBuild } from './PlacedBuild.ts';
import { readBuildFiles } from './readBuildFiles.ts';
import { allowsCleanUp, runPlan } from './runPlan.ts';
import { startServices } from './runServices.ts';
import { restoreCaches, saveCaches } from './transferCaches.ts';
import {
  conclude,
  concludeInterrupted,
  judge,
  type Produced,
  type Verdict,
} from './verdict.ts';

/**
 * Checks out, runs the steps and reads the test reports, within the timeout of the job.
 *
 * @throws Interruption
 */
export async function runSteps(
  placed: PlacedBuild,
  outer: AbortSignal,
): Promise<Verdict> {
  const { job, progress, place } = placed;
  const ending = place.exceeded
    ? AbortSignal.any([outer, place.exceeded])
    : outer;
  return within(timeoutMsOf(job), ending, async (signal, clock) => {
    const activity = new StepActivity(isIdle => {
      clock.setPaused(isIdle);
      placed.setIdle(isIdle);
    });
    const unread = await checkOutSource(placed, signal);
    if (unread !== null) {
      const none = { fault: null, tests: null };
      return judge({ failure: unread, ...none, steps: progress.steps });
    }
    const ran = job.pipelines
      ? await runPipelines(placed, { signal, activity })
      : await runOwnSteps(placed, { signal, activity });
    return ran.interruption
      ? concludeInterrupted(placed, ran, ran.interruption)
      : conclude(placed, ran, signal);
  });
}

/** The position of the checkout, on which all pipelines depend. */
const AFTER_CHECKOUT = [0];

/** The result of steps. */
interface Ran extends Produced {
  /** Reason for the first failure. */
  failure: string | null;
  /** Why they were stopped early; they have cleaned up. */
  interruption?: Interruption;
}

async function runOwnSteps(
  placed: PlacedBuild,
  options: { signal: AbortSignal; activity: StepActivity },
): Promise<Ran> {
  const { job, plan, progress } = placed;
  const first = progress.steps.length - plan.length;
  const { cache, services } = job;
  const ended = await runToEnd(placed, plan, {
    ...{ first, cache, services },
    ...options,
  });
  const { junit = [], artifacts = [] } = job;
  return { ...ended, junit, artifacts };
}

/** Runs steps, and returns why they were stopped early if they have cleaned up. */
async function runToEnd(
  ...parts: Parameters<typeof runWithParts>
): Promise<Pick<Ran, 'failure' | 'interruption'>> {
  try {
    return { failure: await runWithParts(...parts) };
  } catch (error) {
    if (!allowsCleanUp(error)) {
      throw error;
    }
    return { failure: null, interruption: error };
  }
}

/**
 * Runs steps with the artifacts of other jobs, caches and services of the job.
 *
 * @param options.first - position of the first step in the progress of the build.
 * @returns why the first failed part failed.
 * @throws Interruption
 */
async function runWithParts(
  placed: PlacedBuild,
  plan: readonly PlannedStep[],
  options: {
    first: number;
    cache?: readonly JobCache[];
    services?: readonly JobService[];
    signal: AbortSignal;
    activity: StepActivity;
  },
): Promise<string | null> {
  const { cache = [], services = [], signal } = options;
  const { artifactsFrom = [] } = placed.job;
  // A build that resumes has the files already; its caches are saved by the next build.
  const unfetched = isResumed(placed.build)
    ? null
    : await fetchArtifacts(placed, artifactsFrom, signal);
  if (unfetched !== null) {
    return `Artifacts are missing: ${unfetched}`;
  }
  const unsaved = isResumed(placed.build)
    ? []
    : await restoreCaches(placed, cache, signal);
  const running = await startServices(placed, services, signal);
  let failure: string | null;
  try {
    failure =
      running.failure ??
      (await runPlan(placed, plan, { ...options, causeNow: running.failed })) ??
      // Steps may pass with another program in the place of their service.
      running.failed();
  } finally {
    await running.stop();
  }
  if (failure === null) {
    await saveCaches(placed, unsaved, signal);
  }
  return failure;
}

/**
 * Runs the pipelines of the commit. An invalid file fails the build, but does not prevent
 * the others from running.
 */
async function runPipelines(
  placed: PlacedBuild,
  options: { signal: AbortSignal; activity: StepActivity },
): Promise<Ran> {
  const { job, place, progress, rules, log } = placed;
  const folder = pipelineFolderOf(job);
  const files = await readBuildFiles(place, [
    `${folder}/*.yaml`,
    `${folder}/*.yml`,
  ]);
  const pipelines = readPipelines(files, job, rules);
  const { plan, junit, artifacts, faulty, cache, services } = pipelines;
  if (plan.length === 0 && faulty.length === 0) {
    return { failure: `The commit has no ${folder}/*.yaml`, junit, artifacts };
  }
  const position = progress.add(
    faulty.map(({ file, faults }) => ({ name: file, faults })),
    AFTER_CHECKOUT,
  );
  for (const [index, { file, faults }] of faulty.entries()) {
    progress.end(position + index, 'failed', faultsText(faults));
    for (const fault of faults) {
      await log.note(`==> ${file} ${faultText(fault)}`);
    }
  }
  const first = progress.add(plan, AFTER_CHECKOUT);
  const ended = await runToEnd(placed, plan, {
    ...{ first, cache, services },
    ...options,
  });
  const [fault] = faulty;
  return {
    ...ended,
    failure:
      ended.failure ??
      (fault ? `${fault.file} ${faultsText(fault.faults)}` : null),
    junit,
    artifacts,
  };
}

/** Checks out the source. @returns why that failed; null if it did not. */
async function checkOutSource(
  { build, job, place, log, secrets, progress, git }: PlacedBuild,
  signal: AbortSignal,
): Promise<string | null> {
  const { source } = job;
  if (!source || progress.endOf(0)?.state === 'done') {
    return null;
  }
  await progress.begin(0);
  await log.note('==> Check out');
  try {
    const found = await checkOut({
      ...git,
      place,
      ...secrets.checkoutOf(source),
      knownHosts: source.credentials?.knownHosts,
      lfs: source.lfs,
      sparse: source.sparse,
      submodules: source.submodules,
      isFork: build.source?.pullRequest?.isFork ?? false,
      depth: source.depth ?? 1,
      branch:
        (source.branchFrom && build.parameters[source.branchFrom]) ||
        source.branch,
      pushed: build.source,
      signal,
      output: chunk => log.write(chunk),
    });
    progress.source = found;
    await log.note(`Checked out ${found.after}`);
    progress.end(0, 'done');
    return null;
  } catch (error) {
    if (!(error instanceof CheckoutError)) {
      throw error;
    }
    // A server that received a secret could repeat it in its message.
    const message = secrets.maskOf(job).text(error.message);
    progress.end(0, 'failed', message);
    return `Check out failed: ${message}`;
  }
}
