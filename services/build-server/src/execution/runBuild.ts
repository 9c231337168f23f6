import { setTimeout as sleep } from 'node:timers/promises';
import type { LostBuilds } from '../agents/LostBuilds.ts';
import type { Artifacts } from '../artifacts/Artifacts.ts';
import {
  type BuildOutcome,
  type Claim,
  isResumed,
  type StartedBuild,
} from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { planOf } from '../jobs/planSteps.ts';
import type { BuildLog } from '../logs/BuildLog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { type Interruption, isInterruption } from './commands.ts';
import { type Executor, type Place, PlaceLostError } from './Executor.ts';
import type { Exchange } from './Exchange.ts';
import {
  buildVariables,
  type GitOptions,
  type PlacedBuild,
  Progress,
} from './PlacedBuild.ts';
import { runSteps } from './runSteps.ts';
import { interruptedBy, type Verdict } from './verdict.ts';
import type { Hold, WorkerLogger } from './Worker.ts';

const RETRY_MS = 1_000;
/** The reason given for a build that ended because of an error in its server or agent. */
const UNABLE = 'The build server could not run it';

/** Thrown when a build that only waits leaves this process, for another one to resume. */
class SuspendedError extends Error {
  override readonly name = 'SuspendedError';
}

/** Dependencies for running builds. */
export interface RunParts {
  /** Identifies this process. */
  worker: string;
  executor: Executor;
  /** Variables of every build, which jobs may replace. */
  environment?: Readonly<Record<string, string>>;
  /** Returns the address of the page of a build. */
  urlOf(build: StartedBuild): string;
  store: Pick<BuildStore, 'saveProgress' | 'finish'>;
  jobs: Pick<JobCatalog, 'find'>;
  logs: Pick<BuildLogs, 'append'>;
  /** All secrets; each build gets those it may use when it starts. */
  secrets: StepSecrets;
  git: GitOptions;
  artifacts: Artifacts;
  /** Returns what the build of a claim exchanges with people and other builds. */
  exchangeOf(claim: Claim): Exchange;
  /** The rules for the pipelines of a commit. */
  rules: PlacedBuild['rules'];
  /** Ends or requeues builds that cannot continue here; without it, they end like other builds. */
  lost?: Pick<LostBuilds, 'endRemoved' | 'losePlace' | 'suspend'>;
  /** Called before a build begins; the job is undefined if it was removed. */
  onStarted?(build: StartedBuild, job: Job | undefined): Promise<void>;
  /** Called when a build of a job has ended on this worker. */
  onEnded?(job: string): Promise<void>;
  leaseMs: number;
  now: () => number;
  logger: WorkerLogger;
}

/** A running build, with its name for logs. */
interface Run {
  build: StartedBuild;
  claim: Claim;
  name: string;
  job: Job;
  hold: Hold;
  parts: RunParts;
}

/**
 * Runs one build from checkout to reports, and stores its progress and its outcome. An error in the
 * build is part of its outcome; any other error is logged.
 */
export async function runBuild(
  build: StartedBuild,
  hold: Hold,
  parts: RunParts,
): Promise<void> {
  const { id, attempt } = build;
  const { jobs, lost } = parts;
  const claim = { id, attempt, worker: parts.worker };
  // The build keeps this job even if the job is removed while it runs.
  const job = jobs.find(build.job);
  await parts.onStarted?.(build, job);
  if (!job) {
    await lost?.endRemoved(claim);
    return;
  }
  const name = `${build.job} #${build.number}`;
  const run: Run = { build, claim, name, job, hold, parts };
  const outcome = await outcomeOf(run).catch(error => handOver(run, error));
  await (outcome && finish(run, outcome));
  await parts.onEnded?.(build.job);
}

/**
 * Lets another process continue a build that only waits or that has lost its place. If this fails,
 * recovery does it once this process has ended.
 */
async function handOver(
  { claim, name, parts }: Run,
  error: unknown,
): Promise<void> {
  const { lost, logger } = parts;
  try {
    if (error instanceof PlaceLostError) {
      logger.warn({ err: error, build: name }, 'A build lost its place');
      const reason = `The build lost its place: ${error.message}`;
      await lost?.losePlace(claim, reason);
    } else {
      await lost?.suspend(claim);
    }
  } catch (cause) {
    logger.error({ err: cause, build: name }, 'A build was not handed over');
  }
}

/** Runs a build. @throws PlaceLostError or SuspendedError if it has to continue elsewhere. */
async function outcomeOf(run: Run): Promise<BuildOutcome> {
  const { build, name, job, parts } = run;
  const { logs, lost, now, logger } = parts;
  const progress = progressOf(run);
  const ended = () => {
    const { steps, source } = progress;
    return { steps, source, finishedAt: now() };
  };
  let log: BuildLog | undefined;
  try {
    const plan = planOf(job.steps);
    progress.add(plan, job.source ? [0] : []);
    const secrets = new StepSecrets(parts.secrets.forBuild(job, build));
    const mask = secrets.maskOf(job);
    const opening = openPlace(run);
    log = await logs.append(build.id, mask).catch(async error => {
      await opening.then(place => closePlace(run, place));
      throw error;
    });
    if (!isResumed(build)) {
      // If this fails, so does the next part of the log: they are written one after the other.
      log.note(build.cause).catch(() => undefined);
    }
    const opened = { plan, opening, log, progress, secrets };
    const verdict = await verdictOf(run, opened);
    if (verdict.reason !== null) {
      await log.note(`==> ${verdict.reason}`);
    }
    await log.note(`Finished: ${verdict.result}`);
    await log.close();
    return { ...verdict, ...ended() };
  } catch (error) {
    const isGoingOn =
      error instanceof SuspendedError ||
      (error instanceof PlaceLostError && lost !== undefined);
    if (!isGoingOn) {
      // Readers of the log must learn why it ends here, but it may no longer be writable.
      await log
        ?.note(`==> ${UNABLE}\nFinished: FAILURE`)
        .catch(() => undefined);
    }
    await log?.close().catch(() => undefined);
    if (isGoingOn) {
      throw error;
    }
    logger.error(
      { err: error, build: name },
      'A build failed because of an internal error',
    );
    progress.fail(UNABLE);
    return { result: 'FAILURE', reason: UNABLE, tests: null, ...ended() };
  } finally {
    progress.close();
  }
}

/** Creates the progress of a build, which is saved as long as the claim is valid. */
function progressOf({ build, claim, job, parts }: Run): Progress {
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
        const lost: Interruption = { kind: 'lost' };
        throw lost;
      }
    },
  });
}

/** Opens the place of a build. Its failure is handled where it is awaited. */
function openPlace({ build, claim, job, parts }: Run): Promise<Place> {
  const opening = parts.executor.open({
    ...claim,
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

/** Closes the place of a build. Files that cannot be deleted do not affect the outcome. */
async function closePlace(
  { name, parts }: Run,
  place: Place,
  keepsFiles?: boolean,
): Promise<void> {
  await place.close({ keepsFiles }).catch((err: unknown) => {
    parts.logger.warn({ err, build: name }, 'Files of a build are left');
  });
}

/** Runs a build in its own place, which is removed afterwards unless another process resumes. */
async function verdictOf(
  run: Run,
  opened: Pick<PlacedBuild, 'plan' | 'log' | 'progress' | 'secrets'> & {
    opening: Promise<Place>;
  },
): Promise<Verdict> {
  const { build, claim, job, hold, parts } = run;
  const { opening, ...started } = opened;
  let place: Place | undefined;
  let keepsFiles = false;
  try {
    place = await unlessAborted(opening, hold.signal);
    const exchange = parts.exchangeOf(claim);
    return await runSteps(
      { ...parts, ...exchange, ...hold, ...started, build, job, place },
      hold.signal,
    );
  } catch (error) {
    if (!isInterruption(error)) {
      throw error;
    }
    const { kind } = error;
    const isSuspended = kind === 'shutdown' && started.progress.isWaiting;
    // Another process may already have resumed with the files.
    keepsFiles = parts.lost !== undefined && (isSuspended || kind === 'lost');
    if (isSuspended && parts.lost) {
      throw new SuspendedError();
    }
    return interruptedBy(error, started.progress);
  } finally {
    const closing = opening.then(
      late => closePlace(run, late, keepsFiles),
      () => undefined,
    );
    // An interrupted build does not wait for a place that is still opening, such as while its image is pulled.
    await (place && closing);
  }
}

/** Waits for a result. @throws the reason of the signal, as soon as it aborts. */
function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    result
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * Stores the outcome, and retries while the database is unreachable and the lease may
 * still be valid. If the process is shutting down, recovery is left to the next one.
 */
async function finish(
  { name, claim, hold, parts }: Run,
  outcome: BuildOutcome,
): Promise<void> {
  const { store, leaseMs, now, logger } = parts;
  for (const until = now() + 10 * leaseMs; ;) {
    try {
      await store.finish(claim, outcome);
      logger.info({ build: name, result: outcome.result }, 'A build ended');
      return;
    } catch (error) {
      if (now() > until || hold.isShuttingDown()) {
        logger.error(
          { err: error, build: name },
          'Could not store the result of a build',
        );
        return;
      }
      logger.warn(
        { err: error },
        'The end of a build could not be stored yet, trying again',
      );
      await sleep(RETRY_MS);
    }
  }
}
