import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { processNamespace, startTimeOf } from '@slipway/processes';
import { agentOf } from '../agents/Agent.ts';
import type { LostBuilds } from '../agents/LostBuilds.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { Executor } from './Executor.ts';

/** The time that a process has to stop its builds once their lease has expired, in milliseconds. */
const GRACE_MS = 10_000;

/**
 * Identifies this process among all that run builds, so that others on the same machine
 * can check whether it still exists: `<machine>.<pid>.<start>.<random>`.
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
    // Two servers in one process, as in tests, are distinct.
    const random = randomBytes(4).toString('hex');
    return new WorkerIdentity(
      `${machine}.${process.pid}.${started}.${random}`,
      machine,
    );
  }

  /**
   * Checks whether a process is known to be gone; false for one of another machine, about
   * which nothing is known.
   */
  async isGone(worker: string): Promise<boolean> {
    const [machine, pid, started] = worker.split('.');
    return machine === this.#machine && startTimeOf(Number(pid)) !== started;
  }
}

/** Identifies the boot of the system and the PID namespace, without which a pid is ambiguous. */
function machineName(): string {
  return createHash('sha256')
    .update(`${hostname()}\n${processNamespace() ?? ''}`)
    .digest('hex')
    .slice(0, 16);
}

/**
 * Ends builds whose process is gone: immediately if this machine can detect that, otherwise some time
 * after the lease has expired. Kills leftover processes on this machine first; {@link Executor.tidy} then
 * removes leftover folders.
 *
 * @returns the number of builds ended.
 * @throws AggregateError if some could not be ended; the others are.
 */
export async function recoverBuilds(parts: {
  store: BuildStore;
  executor: Pick<Executor, 'sweep'>;
  identity: WorkerIdentity;
  lost: LostBuilds;
  now: () => number;
}): Promise<number> {
  const { store, executor, identity, lost } = parts;
  await executor.sweep(worker => identity.isGone(worker));
  let ended = 0;
  const failures: unknown[] = [];
  for (const { leaseUntil, ...claim } of await store.listRunning()) {
    const isAgent = agentOf(claim.worker) !== undefined;
    const isGone = await identity.isGone(claim.worker);
    const leaseEndedBefore = parts.now() - GRACE_MS;
    if (!isGone && leaseUntil >= leaseEndedBefore) {
      continue;
    }
    const loss = isGone
      ? { reason: 'The build server stopped during the build' }
      : {
          reason: isAgent
            ? 'The agent that ran it stopped responding'
            : 'The build server that ran it stopped responding',
          leaseEndedBefore,
        };
    try {
      ended += (await lost.end(claim, loss)) ? 1 : 0;
    } catch (error) {
      // Its log may not be writable, for example.
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Lost builds could not be ended');
  }
  return ended;
}
