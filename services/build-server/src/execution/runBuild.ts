import { setTimeout as sleep } from 'node:timers/promises';
import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildOutcome, Claim, StartedBuild } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { type PlannedStep, planSteps } from '../jobs/planSteps.ts';
import { splitCredentials } from '../jobs/repository.ts';
import type { BuildLog, BuildLogs } from '../logs/BuildLogs.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { describeInterruption, type Interruption } from './commands.ts';
import type { LocalExecutor } from './local/LocalExecutor.ts';
import type { GitOptions, PlacedBuild } from './PlacedBuild.ts';
import { Progress } from './Progress.ts';
import { runSteps, type Verdict } from './runSteps.ts';
import type { Hold, WorkerLogger } from './Worker.ts';

const RETRY_MS = 1_000;

/** What builds are run with. */
export interface RunParts {
  /** Names this process among all. */
  worker: string;
  store: Pick<BuildStore, 'saveProgress' | 'finish'>;
  jobs: JobCatalog;
  executor: LocalExecutor;
  logs: BuildLogs;
  secrets: StepSecrets;
  git: GitOptions;
  artifacts: Artifacts;
  /** What the pipelines of a commit are held to. */
  rules: PlacedBuild['rules'];
  /** Names the page where people see a build. */
  urlOf(build: StartedBuild): string;
  leaseMs: number;
  now: () => number;
  logger: WorkerLogger;
}

/**
 * Runs one build from checkout to reports, and writes down how it goes and how it ends.
 * Never fails: what happens in a build is its outcome, what goes wrong beside is logged.
 */
export async function runBuild(
  build: StartedBuild,
  hold: Hold,
  parts: RunParts,
): Promise<void> {
  const { now, logger } = parts;
  const { id, attempt } = build;
  const claim: Claim = { id, attempt, worker: parts.worker };
  const name = `${build.job} #${build.number}`;
  try {
    const outcome = await outcomeOf(build, { claim, hold, parts }).catch(
      (error: unknown): BuildOutcome => {
        logger.error({ err: error, build: name }, 'A build broke');
        return {
          result: 'FAILURE',
          reason: 'The build server could not run it',
          tests: null,
          steps: [],
          finishedAt: now(),
        };
      },
    );
    await finish(claim, outcome, { hold, parts });
    logger.info({ build: name, result: outcome.result }, 'A build ended');
  } catch (error) {
    logger.error({ err: error, build: name }, 'A build broke');
  }
}

async function outcomeOf(
  build: StartedBuild,
  options: { claim: Claim; hold: Hold; parts: RunParts },
): Promise<BuildOutcome> {
  const { claim, hold, parts } = options;
  const { store, logs, secrets, now, logger } = parts;
  const job = parts.jobs.get(build.job);
  const plan = planOf(job);
  const mask = secrets.maskOf(job);
  const log = await logs.append(build.id, mask);
  const names = plan.map(({ name }) => name);
  const progress = new Progress(job.source ? ['Check out', ...names] : names, {
    source: build.source,
    now,
    save: async current => {
      await store
        .saveProgress(claim, current)
        // The end of the build says it all again.
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'Progress was not written'),
        );
    },
  });
  try {
    await log.note(build.cause);
    const verdict = await verdictOf(build, {
      ...{ job, plan, log, progress, parts },
      signal: hold.signal,
    });
    if (verdict.reason !== null) {
      await log.note(`==> ${verdict.reason}`);
    }
    await log.note(`Finished: ${verdict.result}`);
    const { steps, source } = progress;
    return { ...verdict, steps, source, finishedAt: now() };
  } finally {
    await log.close();
  }
}

function planOf({ steps }: Job): PlannedStep[] {
  const planned = planSteps(steps);
  if ('faults' in planned) {
    throw new Error('A job with faults is not built');
  }
  return planned.plan;
}

/** Runs a build in a place of its own, which is gone afterwards. */
async function verdictOf(
  build: StartedBuild,
  options: {
    job: Job;
    plan: readonly PlannedStep[];
    log: BuildLog;
    progress: Progress;
    parts: RunParts;
    signal: AbortSignal;
  },
): Promise<Verdict> {
  const { job, plan, log, progress, parts, signal } = options;
  const { executor, secrets, git, rules, artifacts } = parts;
  const place = await executor.open({
    id: build.id,
    worker: parts.worker,
    environment: environmentOf(build, { job, url: parts.urlOf(build) }),
  });
  try {
    return await runSteps(
      {
        build,
        job,
        plan,
        place,
        log,
        secrets,
        progress,
        git,
        rules,
        artifacts,
      },
      signal,
    );
  } catch (error) {
    if (!isInterruption(error)) {
      throw error;
    }
    const reason = describeInterruption(error);
    progress.fail(reason);
    return {
      // The contract's ABORTED is by hand; what takes too long has failed.
      result: error.kind === 'timeout' ? 'FAILURE' : 'ABORTED',
      reason,
      tests: null,
    };
  } finally {
    await place.close();
  }
}

/**
 * Writes the end down, and tries again while the database is away and the lease may still
 * be ours. What a process that shuts down cannot write is left to the next one.
 */
async function finish(
  claim: Claim,
  outcome: BuildOutcome,
  { hold, parts }: { hold: Hold; parts: RunParts },
): Promise<void> {
  const { store, leaseMs, now, logger } = parts;
  for (const until = now() + 10 * leaseMs; ;) {
    try {
      await store.finish(claim, outcome);
      return;
    } catch (error) {
      if (now() > until || hold.isShuttingDown()) {
        throw error;
      }
      logger.warn({ err: error }, 'The end of a build waits');
      await sleep(RETRY_MS);
    }
  }
}

/**
 * Makes the variables of every command of a build, beside those of the place it runs in.
 * Values of parameters are in here and nowhere else: no script is made of them.
 */
function environmentOf(
  build: StartedBuild,
  { job, url }: { job: Job; url: string },
): Record<string, string> {
  const { source } = build;
  const git = {
    GIT_URL: job.source && splitCredentials(job.source.repository).repository,
    GIT_COMMIT: source?.after,
    GIT_PREVIOUS_COMMIT: source?.before,
    GIT_REF: source?.ref,
    GIT_BRANCH: source?.ref?.replace(/^refs\/(?:heads|tags)\//, ''),
  };
  return {
    ...job.environment,
    ...build.parameters,
    CI: 'true',
    JOB_NAME: build.job,
    BUILD_NUMBER: String(build.number),
    BUILD_ID: String(build.id),
    BUILD_URL: url,
    ...Object.fromEntries(
      Object.entries(git).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
  };
}

function isInterruption(error: unknown): error is Interruption {
  return (
    !(error instanceof Error) &&
    typeof error === 'object' &&
    error !== null &&
    'kind' in error
  );
}
