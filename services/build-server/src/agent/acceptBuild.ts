import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentClaim, isRefusal, type ServerLink } from './ServerLink.ts';

const RETRY_MS = 1_000;

/**
 * Accepts a build, and retries while the server does not respond: it may already have recorded the
 * acceptance, and would then wait for a build that nobody runs.
 *
 * @param options.leaseMs - how long the server keeps the build for this agent, in milliseconds.
 * @param options.isStopped - returns whether the agent is stopping, which ends the retries.
 * @returns the monotonic time until which its lease is certainly valid.
 * @throws the last error, once the lease would have expired or the agent stops.
 */
export async function acceptBuild(
  link: Pick<ServerLink, 'accept'>,
  claim: AgentClaim,
  { leaseMs, isStopped }: { leaseMs: number; isStopped: () => boolean },
): Promise<number> {
  const until = performance.now() + leaseMs;
  for (;;) {
    const before = performance.now();
    try {
      await link.accept(claim);
      return before;
    } catch (error) {
      const isLate = performance.now() + RETRY_MS > until;
      if (isStopped() || isRefusal(error) || isLate) {
        throw error;
      }
      await sleep(RETRY_MS);
    }
  }
}
