import { setTimeout as sleep } from 'node:timers/promises';
import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildOutcome, Claim, StartedBuild } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { type PlannedStep, planSteps } from '../jobs/planSteps.ts';
import type { BuildLog } from '../logs/BuildLog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { type Interruption, isInterruption } from './commands.ts';
import { type Place, PlaceLostError } from './Executor.ts';
import type { Exchange } from './Exchange.ts';
import { type GitOptions, type PlacedBuild, Progress } from './PlacedBuild.ts';
import {
  closePlace,
  isResumed,
  openPlace,
  type PlaceParts,
} from './placeOfBuild.ts';
import { runSteps } from './runSteps.ts';
import { interruptedBy, type Verdict } from './verdict.ts';
import type { Hold, WorkerLogger } from './Worker.ts';

const RETRY_MS = 1_000;
/** The reason of a build that ended because of an error of its server or agent. */
const UNABLE = 'The build server could not run it';
const LOST: Interruption = { kind: 'lost' };

/** Thrown when a build that only waits leaves this process, for another one to resume. */
class SuspendedError extends Error {
  override readonly name = 'SuspendedError';
}

/** Dependencies for running builds. */
export interface RunParts extends Exchange, PlaceParts {
  store: Pick<BuildStore, 'saveProgress' | 'finish'>;
  jobs: Pick<JobCatalog, 'get'>;
  logs: Pick<BuildLogs, 'append'>;
  secrets: StepSecrets;
  git: GitOptions;
  artifacts: Artifacts;
  /** The rules for the pipelines of a commit. */
  rules: PlacedBuild['rules'];
  /**
   * Queues a build again that only waits for a person, for another process to resume. By
   * default, it ends with this process.
   */
  onSuspended?(claim: Claim): Promise<void>;
  /** Ends a build whose place is gone, or queues it again; by default, it fails. */
  onLost?(claim: Claim, reason: string): Promise<void>;
  leaseMs: number;
  now: () => number;
  logger: WorkerLogger;
}

/**
 * Runs one build from checkout to reports, and stores its progress and its outcome. Never
 * fails: an error in the build is its outcome, any other error is logged.
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
  const job = parts.jobs.get(build.job);
  const progress = progressOf(build, { claim, job, parts });
  let outcome: BuildOutcome;
  try {
    outcome = await outcomeOf(build, { hold, job, progress, parts });
  } catch (error) {
    if (error instanceof SuspendedError) {
      // If this fails, recovery does it once the process is gone.
      await parts
        .onSuspended?.(claim)
        .catch((cause: unknown) =>
          logger.warn({ err: cause, build: name }, 'A build was not queued'),
        );
      return;
    }
    if (error instanceof PlaceLostError && parts.onLost) {
      logger.warn({ err: error, build: name }, 'A build lost its place');
      // If this fails, recovery does it, as above.
      await parts
        .onLost(claim, `The build lost its place: ${error.message}`)
        .catch((cause: unknown) =>
          logger.error(
            { err: cause, build: name },
            'Could not record that a build was lost',
          ),
        );
      return;
    }
    logger.error(
      { err: error, build: name },
      'A build failed because of an internal error',
    );
    progress.fail(UNABLE);
    progress.close();
    const { steps, source } = progress;
    outcome = {
      result: 'FAILURE',
      reason: UNABLE,
      tests: null,
      ...{ steps, source, finishedAt: now() },
    };
  }
  try {
    await finish(claim, outcome, { hold, parts });
    logger.info({ build: name, result: outcome.result }, 'A build ended');
  } catch (error) {
    logger.error(
      { err: error, build: name },
      'Could not store the result of a build',
    );
  }
}

/**
 * Runs a build from checkout to reports in its own place, and stores its progress.
 *
 * @throws PlaceLostError, SuspendedError
 */
async function outcomeOf(
  build: StartedBuild,
  options: { hold: Hold; job: Job; progress: Progress; parts: RunParts },
): Promise<BuildOutcome> {
  const { hold, job, progress, parts } = options;
  const { logs, secrets, now } = parts;
  const plan = planOf(job);
  progress.add(plan, job.source ? [0] : []);
  const mask = secrets.maskOf(job);
  const opening = openPlace(build, { job, parts });
  const log = await logs.append(build.id, mask).catch(async error => {
    await opening.then(place => closePlace(place, build, parts));
    throw error;
  });
  try {
    if (!isResumed(build)) {
      // If this fails, so does the next part of the log: they are written one after the other.
      log.note(build.cause).catch(() => undefined);
    }
    const verdict = await verdictOf(build, {
      ...{ hold, job, plan, opening, log, progress, parts },
    });
    if (verdict.reason !== null) {
      await log.note(`==> ${verdict.reason}`);
    }
    await log.note(`Finished: ${verdict.result}`);
    const { steps, source } = progress;
    return { ...verdict, steps, source, finishedAt: now() };
  } catch (error) {
    const isGoingOn =
      error instanceof SuspendedError ||
      (error instanceof PlaceLostError && parts.onLost);
    if (!isGoingOn) {
      // Its readers must learn why it ends here; it may not be writable any more.
      const text = `==> ${UNABLE}\nFinished: FAILURE`;
      await log.note(text).catch(() => undefined);
    }
    throw error;
  } finally {
    progress.close();
    await log.close();
  }
}

/** Creates the progress of a build, which is saved as long as the claim is valid. */
function progressOf(
  build: StartedBuild,
  options: { claim: Claim; job: Job; parts: RunParts },
): Progress {
  const { claim, job, parts } = options;
  const { store, now, logger } = parts;
  return new Progress(job.source ? [{ name: 'Check out' }] : [], {
    source: build.source,
    recorded: build.steps,
    now,
    save: async current => {
      const isHeld = await store
        .saveProgress(claim, current)
        // Saved again in full at the end of the build.
        .catch((error: unknown) => {
          logger.warn({ err: error }, 'The progress of a build was not stored');
          return true;
        });
      if (!isHeld) {
        // An interruption is no error: what is thrown is its kind.
        // eslint-disable-next-line no-throw-literal
        throw LOST;
      }
    },
  });
}

function planOf({ steps }: Job): PlannedStep[] {
  const planned = planSteps(steps);
  if ('faults' in planned) {
    throw new Error('A job with faults is not built');
  }
  return planned.plan;
}

/** Runs a build in its own place, which is removed afterwards unless another process resumes. */
async function verdictOf(
  build: StartedBuild,
  options: {
    hold: Hold;
    job: Job;
    plan: readonly PlannedStep[];
    opening: Promise<Place>;
    log: BuildLog;
    progress: Progress;
    parts: RunParts;
  },
): Promise<Verdict> {
  const { hold, job, plan, log, progress, parts } = options;
  const { secrets, git, rules, artifacts, logger } = parts;
  const { gates, caches, jobArtifacts } = parts;
  const place = await options.opening;
  let keepsFiles = false;
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
        ...{ gates, caches, jobArtifacts },
        isResumed: isResumed(build),
        setIdle: hold.setIdle,
        killSignal: hold.killSignal,
        logger,
      },
      hold.signal,
    );
  } catch (error) {
    if (!isInterruption(error)) {
      throw error;
    }
    const { kind } = error;
    const isSuspended = kind === 'shutdown' && progress.isWaiting;
    // Another process may already have resumed with the files.
    keepsFiles =
      parts.onSuspended !== undefined && (isSuspended || kind === 'lost');
    if (isSuspended && parts.onSuspended) {
      throw new SuspendedError();
    }
    return interruptedBy(error, progress);
  } finally {
    await closePlace(place, build, { keepsFiles, logger });
  }
}

/**
 * Stores the outcome, and retries while the database is unreachable and the lease may
 * still be valid. If the process is shutting down, recovery is left to the next one.
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
      logger.warn(
        { err: error },
        'The end of a build could not be stored yet, trying again',
      );
      await sleep(RETRY_MS);
    }
  }
}
