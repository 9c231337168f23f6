import { setTimeout as sleep } from 'node:timers/promises';
import type { BuildOutcome, Claim, StartedBuild } from '../builds/Build.ts';
import { PlaceLostError } from './Executor.ts';
import { outcomeOf, type RunParts, SuspendedError } from './outcomeOf.ts';
import type { Hold } from './Worker.ts';

const RETRY_MS = 1_000;

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
  try {
    const outcome = await outcomeOf(build, { claim, hold, parts }).catch(
      (error: unknown): BuildOutcome => {
        const isLost = error instanceof PlaceLostError && parts.onLost;
        if (isLost || error instanceof SuspendedError) {
          throw error;
        }
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
      await loseBuild(claim, error, parts);
      return;
    }
    logger.error({ err: error, build: name }, 'A build broke');
  }
}

/** Retried by recovery if the database is unreachable. */
async function loseBuild(
  claim: Claim,
  { message }: PlaceLostError,
  { onLost, logger }: RunParts,
): Promise<void> {
  await onLost?.(claim, `The build lost its place: ${message}`).catch(
    (error: unknown) =>
      logger.error({ err: error }, 'The end of a build was not written'),
  );
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
      logger.warn({ err: error }, 'The end of a build waits');
      await sleep(RETRY_MS);
    }
  }
}
