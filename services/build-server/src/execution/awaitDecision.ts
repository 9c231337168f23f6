import { setTimeout as sleep } from 'node:timers/promises';
import { shortName } from '../builds/Build.ts';
import type { PlannedStep } from '../jobs/planSteps.ts';
import { within } from './commands.ts';
import type { Decision } from './Gates.ts';
import type { PlacedBuild } from './PlacedBuild.ts';

const POLL_MS = 1_000;
const DAY_S = 86_400;
/** Days that a build waits for a decision if the step has no timeout. */
const DAYS = 7;

/**
 * Waits for a decision about a step.
 *
 * @returns the values of its inputs, or why the step did not pass.
 * @throws Interruption
 */
export async function awaitDecision(
  { gates, log, logger }: PlacedBuild,
  { name, step }: PlannedStep,
  outer: AbortSignal,
): Promise<{ values: Record<string, string> } | { failure: string }> {
  const { timeoutSeconds = DAYS * DAY_S } = step;
  await log.note(`==> ${name}: waits for a decision`);
  let decision: Decision;
  try {
    decision = await within(timeoutSeconds * 1_000, outer, async signal => {
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
    });
  } catch (error) {
    if (outer.aborted) {
      throw error;
    }
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
