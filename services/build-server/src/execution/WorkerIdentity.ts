import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { processNamespace, startTimeOf } from '@slipway/processes';

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
