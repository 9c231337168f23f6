import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { processNamespace, startTimeOf } from '@slipway/processes';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { LocalExecutor } from './local/LocalExecutor.ts';

/**
 * Names this process among all that run builds, so that others on the same machine can
 * tell whether it is still there: `<machine>.<pid>.<start>.<random>`.
 */
export class WorkerIdentity {
  readonly id: string;
  readonly #machine: string;

  private constructor(id: string, machine: string) {
    this.id = id;
    this.#machine = machine;
  }

  static async create(): Promise<WorkerIdentity> {
    const machine = machineName();
    const started = startTimeOf(process.pid) ?? 'unknown';
    // Two servers of one process are two, as in tests.
    const random = randomBytes(4).toString('hex');
    return new WorkerIdentity(
      `${machine}.${process.pid}.${started}.${random}`,
      machine,
    );
  }

  /** Tells that a process is surely gone; false for one of another machine, of which this one knows nothing. */
  async isGone(worker: string): Promise<boolean> {
    const [machine, pid, started] = worker.split('.');
    return machine === this.#machine && startTimeOf(Number(pid)) !== started;
  }
}

/** The boot of the system and the process ids that are seen here: what a pid means nothing without. */
function machineName(): string {
  return createHash('sha256')
    .update(`${hostname()}\n${processNamespace() ?? ''}`)
    .digest('hex')
    .slice(0, 16);
}

/**
 * Ends builds whose process is gone: at once where this machine knows that it is, else
 * when its lease has run out. What it left running here is killed before, and the folders
 * that it left are removed.
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
      ? 'The build server stopped during the build'
      : 'The build server that ran it stopped responding';
    const isOurs = await store.abandon(claim, {
      now,
      reason,
      ...(!isGone && { leaseEndedBefore: now }),
    });
    if (isOurs) {
      ended += 1;
      const log = await logs.append(claim.id);
      try {
        await log.note(`\n==> ${reason}\nFinished: ABORTED`);
      } finally {
        await log.close();
      }
    }
  }
  await executor.tidy(ids => store.listOver(ids));
  return ended;
}
