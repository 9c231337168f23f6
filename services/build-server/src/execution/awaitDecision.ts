import { setTimeout as sleep } from 'node:timers/promises';
import { shortName } from '../builds/Build.ts';
import type { PlannedStep } from '../jobs/planSteps.ts';
import { withinOr } from './commands.ts';
import type { Decision } from './Exchange.ts';
import type { PlacedBuild } from './PlacedBuild.ts';

const POLL_MS = 1_000;
const DAY_S = 86_400;
/** Days that a build waits for a decision if the step has no timeout. */
const DAYS = 7;

/** Waits until a step is decided. @throws Interruption */
export async function untilDecided(
  { gates, logger }: PlacedBuild,
  { name, step }: PlannedStep,
  signal: AbortSignal,
): Promise<Decision> {
  for (;;) {
    const found = await gates
      .ask({ step: name, approval: step.approval! })
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'A decision could not be read');
        return undefined;
      });
    if (found) {
      return found;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

/**
 * Waits for a decision about a step.
 *
 * @param options.waitedMs - for how long an earlier attempt of the build waited.
 * @returns the values of its inputs, or why the step did not pass.
 * @throws Interruption
 */
export async function awaitDecision(
  placed: PlacedBuild,
  planned: PlannedStep,
  options: { signal: AbortSignal; waitedMs: number },
): Promise<{ values: Record<string, string> } | { failure: string }> {
  const { log } = placed;
  const { name, step } = planned;
  const { timeoutSeconds = DAYS * DAY_S } = step;
  const { signal: outer, waitedMs } = options;
  await log.note(`==> ${name}: waits for a decision`);
  // A decision made while no process waited still counts.
  const leftMs = Math.max(timeoutSeconds * 1_000 - waitedMs, POLL_MS);
  const decision = await withinOr<Decision | undefined>(
    undefined,
    leftMs,
    outer,
    signal => untilDecided(placed, planned, signal),
  );
  if (!decision) {
    return { failure: `nobody decided within ${timeoutSeconds} seconds` };
  }
  const { isApproved, by, comment, values } = decision;
  const verb = isApproved ? 'approved' : 'rejected';
  const said = comment === null ? '' : `: ${comment}`;
  await log.note(`==> ${name}: ${verb} by ${shortName(by)}${said}`);
  return isApproved
    ? { values }
    : { failure: `rejected by ${shortName(by)}${said}` };
}
