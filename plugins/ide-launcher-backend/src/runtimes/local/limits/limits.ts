import { readFileSync } from 'node:fs';
import { parseQuantity } from '../../../devfile/semantics/quantity';
import { Devfile } from '../../../devfile/types';

/** Memory for the editor itself, in addition to the memory limits of the devfile's containers. */
const EDITOR_BYTES = 1024 ** 3;

/**
 * Returns the memory limit of a workspace: that of the devfile's containers plus the editor's
 * share, at most the configured limit.
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

/** Resource limits of the programs of a sandbox, each or together. */
export interface ProgramLimits {
  processes: number;
  openFiles: number;
}

const NAMES = { processes: 'Max processes', openFiles: 'Max open files' };

/**
 * Returns the limits that a sandbox can actually have: without privileges, a process cannot
 * exceed the hard limits of its parent, and trying to do so fails. `Infinity` means no limit.
 *
 * @param table - hard limits of the portal, in the format of proc(5).
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

/** Limits how many tasks run at the same time; the others wait in order. */
export class Semaphore {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(size: number) {
    this.#free = Math.max(1, Math.floor(size));
  }

  /** The number of waiting tasks. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Runs `work` when a place is free; rejects with the signal's reason if it aborts before. */
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
