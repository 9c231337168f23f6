import { readFileSync } from 'node:fs';
import { parseQuantity } from '../../../devfile/semantics/quantity';
import { Devfile } from '../../../devfile/types';

/** What the editor itself may take beside the devfile's containers, which know nothing of it. */
const EDITOR_BYTES = 1024 ** 3;

/**
 * Memory that a workspace may take: what the devfile's containers ask for and
 * the editor's share, never more than the configured limit.
 */
export function memoryLimitOf(devfile: Devfile, maxBytes: number): number {
  const asked = devfile.components.flatMap(component =>
    component.type === 'container' && component.container.memoryLimit
      ? (parseQuantity(component.container.memoryLimit) ?? [])
      : [],
  );
  const sum = asked.reduce((total, bytes) => total + bytes, 0);
  return sum > 0 ? Math.min(sum + EDITOR_BYTES, maxBytes) : maxBytes;
}

/** What the programs of a sandbox may use, each or together. */
export interface ProgramLimits {
  processes: number;
  openFiles: number;
}

const NAMES = { processes: 'Max processes', openFiles: 'Max open files' };

/**
 * The limits that a sandbox can really be given: without privileges a process
 * gets no more than the hard limits of the one that starts it, and asking for
 * more fails. `Infinity` stands for a limit that is not there.
 *
 * @param table - hard limits of the portal, as proc(5) shows them.
 */
export function withinKernelLimits(
  wanted: ProgramLimits,
  table: string = readFileSync('/proc/self/limits', 'utf8'),
): ProgramLimits {
  return {
    processes: Math.min(wanted.processes, hardLimit(table, NAMES.processes)),
    openFiles: Math.min(wanted.openFiles, hardLimit(table, NAMES.openFiles)),
  };
}

function hardLimit(table: string, name: string): number {
  const line = table.split('\n').find(text => text.startsWith(name)) ?? '';
  const [, hard] = line.slice(name.length).trim().split(/\s+/);
  const number = Number(hard);
  return Number.isNaN(number) ? Infinity : number;
}

/** Lets a limited number of holders in; the others wait in order. */
export class Semaphore {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(size: number) {
    this.#free = Math.max(1, Math.floor(size));
  }

  /** How many wait now. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Runs `work` when its turn comes; rejects with the signal's reason if it aborts before. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const left = new AbortController();
      const admit = () => {
        left.abort();
        resolve();
      };
      this.#queue.push(admit);
      signal.addEventListener(
        'abort',
        () => {
          this.#queue.splice(this.#queue.indexOf(admit), 1);
          reject(signal.reason);
        },
        { once: true, signal: left.signal },
      );
    });
  }

  #leave() {
    const next = this.#queue.shift();
    if (next) {
      next();
    } else {
      this.#free += 1;
    }
  }
}
