import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildOutcome, Claim, StartedBuild } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { type PlannedStep, planSteps } from '../jobs/planSteps.ts';
import { splitCredentials } from '../jobs/repository.ts';
import type { BuildLog } from '../logs/BuildLog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { type Interruption, isInterruption } from './commands.ts';
import type { Executor, Place } from './Executor.ts';
import { type Exchange, exchangeOf } from './Exchange.ts';
import {
  type GitOptions,
  gitVariables,
  type PlacedBuild,
  Progress,
} from './PlacedBuild.ts';
import { runSteps } from './runSteps.ts';
import { interruptedBy, type Verdict } from './verdict.ts';
import type { Hold, WorkerLogger } from './Worker.ts';

const LOST: Interruption = { kind: 'lost' };

/** Thrown when a build that only waits leaves this process, for another one to resume. */
export class SuspendedError extends Error {
  override readonly name = 'SuspendedError';
}

/** Dependencies for running builds. */
export interface RunParts extends Exchange {
  /** Identifies this process. */
  worker: string;
  store: Pick<BuildStore, 'saveProgress' | 'finish'>;
  jobs: Pick<JobCatalog, 'get'>;
  executor: Executor;
  logs: Pick<BuildLogs, 'append'>;
  secrets: StepSecrets;
  git: GitOptions;
  /** Variables of every build, which jobs may replace. */
  environment?: Readonly<Record<string, string>>;
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
  /** Returns the address of the page of a build. */
  urlOf(build: StartedBuild): string;
  leaseMs: number;
  now: () => number;
  logger: WorkerLogger;
}

/**
 * Runs a build from checkout to reports in its own place, and stores its progress.
 *
 * @throws PlaceLostError, SuspendedError
 */
export async function outcomeOf(
  build: StartedBuild,
  options: { claim: Claim; hold: Hold; parts: RunParts },
): Promise<BuildOutcome> {
  const { claim, hold, parts } = options;
  const { store, logs, secrets, now, logger } = parts;
  const job = parts.jobs.get(build.job);
  const plan = planOf(job);
  const mask = secrets.maskOf(job);
  const opening = openPlace(build, { job, parts });
  const log = await logs.append(build.id, mask).catch(async error => {
    await opening.then(place => place.close());
    throw error;
  });
  const progress = new Progress(job.source ? [{ name: 'Check out' }] : [], {
    source: build.source,
    recorded: build.steps,
    now,
    save: async current => {
      const isHeld = await store
        .saveProgress(claim, current)
        // Saved again in full at the end of the build.
        .catch((error: unknown) => {
          logger.warn({ err: error }, 'Progress was not written');
          return true;
        });
      if (!isHeld) {
        // An interruption is no error: what is thrown is its kind.
        // eslint-disable-next-line no-throw-literal
        throw LOST;
      }
    },
  });
  progress.add(plan, job.source ? [0] : []);
  try {
    if (!isResumed(build)) {
      // If this fails, so does the next part of the log: they are written one after the other.
      log.note(build.cause).catch(() => undefined);
    }
    const verdict = await verdictOf(build, {
      ...{ claim, hold, job, plan, opening, log, progress, parts },
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

/** Checks whether an earlier attempt ran steps whose files are still there. */
function isResumed({ steps }: StartedBuild): boolean {
  return steps.length > 0;
}

/** Opens the place of a build. Its failure is handled where it is awaited. */
function openPlace(
  build: StartedBuild,
  { job, parts }: { job: Job; parts: RunParts },
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
      ...environmentOf(build, { job, url: parts.urlOf(build) }),
    },
  });
  opening.catch(() => undefined);
  return opening;
}

/** Runs a build in its own place, which is removed afterwards unless another process resumes. */
async function verdictOf(
  build: StartedBuild,
  options: {
    claim: Claim;
    hold: Hold;
    job: Job;
    plan: readonly PlannedStep[];
    opening: Promise<Place>;
    log: BuildLog;
    progress: Progress;
    parts: RunParts;
  },
): Promise<Verdict> {
  const { claim, hold, job, plan, log, progress, parts } = options;
  const { secrets, git, rules, artifacts, logger } = parts;
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
        ...exchangeOf(claim, parts),
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
    await place.close({ keepsFiles });
  }
}

/**
 * Returns the variables of every command of a build, in addition to those of its place.
 * Parameter values are passed only here: they never become part of a script.
 */
function environmentOf(
  build: StartedBuild,
  { job, url }: { job: Job; url: string },
): Record<string, string> {
  return {
    ...job.environment,
    ...build.parameters,
    CI: 'true',
    JOB_NAME: build.job,
    BUILD_NUMBER: String(build.number),
    BUILD_ID: String(build.id),
    BUILD_URL: url,
    ...(job.source && {
      GIT_URL: splitCredentials(job.source.repository).repository,
    }),
    ...gitVariables(build.source),
  };
}
