import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { LocalExecutor } from './local/LocalExecutor.ts';
import type { WorkerIdentity } from './WorkerIdentity.ts';

/**
 * Ends builds whose process is gone: at once where this machine knows that it is, else
 * when its lease has run out. What it left running here is killed before.
 *
 * @returns how many builds it ended.
 */
export async function recoverBuilds(parts: {
  store: BuildStore;
  executor: LocalExecutor;
  identity: WorkerIdentity;
  logs: BuildLogs;
  now: () => number;
}): Promise<number> {
  const { store, executor, identity, logs } = parts;
  await executor.sweep(worker => identity.isGone(worker));
  let ended = 0;
  for (const { leaseUntil, ...claim } of await store.listRunning()) {
    const now = parts.now();
    const isGone = await identity.isGone(claim.worker);
    if (!isGone && leaseUntil >= now) {
      continue;
    }
    const reason = isGone
      ? 'The build server ended while it ran'
      : 'The build server that ran it gives no sign of life';
    const isOurs = await store.abandon(claim, {
      now,
      reason,
      ...(!isGone && { leaseEndedBefore: now }),
    });
    if (isOurs) {
      ended += 1;
      const log = await logs.append(claim.id);
      await log.note(`\n==> ${reason}\nFinished: ABORTED`);
      await log.close();
    }
  }
  return ended;
}
