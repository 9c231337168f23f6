import { readFile } from 'node:fs/promises';
import { WorkspaceIsolation } from '@slipway/plugin-ide-launcher-common';
import { LocalRuntimeLimits } from '../options';
import { findWorkspaceProcesses } from '../process/processTable';

const PAGE_BYTES = 4096;
const MEBIBYTE = 1024 ** 2;

/** What a workspace may use, as far as it is held by looking. */
interface WatchedLimits {
  memoryBytes: number;
  processes: number;
  /** True where the kernel lets it start no more than that. */
  processesHeld: boolean;
}

/** What a workspace was started with; what was not said then is as it is now. */
export function watchedLimits(
  isolation: WorkspaceIsolation | null,
  limits: Pick<LocalRuntimeLimits, 'memoryBytes' | 'processes'>,
): WatchedLimits {
  const { memoryMebibytes, processes } = isolation?.limits ?? {};
  return {
    memoryBytes: memoryMebibytes
      ? memoryMebibytes * MEBIBYTE
      : limits.memoryBytes,
    processes: processes ?? limits.processes,
    processesHeld: Boolean(processes),
  };
}

/**
 * A workspace this near to a limit that the kernel holds is running away: what
 * it cannot start any more, it tries again and again. The rest is threads.
 */
const RUNAWAY_SHARE = 0.8;

/** What a {@link WorkspaceMonitor} watches. */
interface WorkspaceMonitorOptions {
  installation: string;
  intervalMs: number;
  /** Limits of the workspaces that run, by id. */
  watched(): Map<string, WatchedLimits>;
  /** Told at every look; `reason` is a sentence for people. */
  onExceeded(workspaceId: string, reason: string): void;
}

/**
 * Looks from time to time at what workspaces use, and reports those over their
 * limits. A limit on the address space would be held by the kernel, but V8
 * does not run under one; and only a sandbox has a count of processes of its own.
 */
export class WorkspaceMonitor {
  readonly #options: WorkspaceMonitorOptions;
  readonly #timer: NodeJS.Timeout;
  #looking = false;

  constructor(options: WorkspaceMonitorOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      // A look that fails is made up for by the next.
      this.look().catch(() => undefined);
    }, options.intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Looks once; a look that is still going on counts as this one. */
  async look(): Promise<void> {
    const watched = this.#options.watched();
    if (this.#looking || watched.size === 0) {
      return;
    }
    this.#looking = true;
    try {
      const usage = await this.#usage();
      for (const [id, limits] of watched) {
        const reason = describeExcess(usage.get(id), limits);
        if (reason) {
          this.#options.onExceeded(id, reason);
        }
      }
    } finally {
      this.#looking = false;
    }
  }

  async #usage(): Promise<Map<string, Usage>> {
    const usage = new Map<string, Usage>();
    const found = await findWorkspaceProcesses(this.#options.installation, {
      dead: true,
    });
    await Promise.all(
      found.map(async ({ pid, workspaceId }) => {
        const memoryBytes = await privateMemory(pid);
        const sum = usage.get(workspaceId) ?? { memoryBytes: 0, processes: 0 };
        sum.memoryBytes += memoryBytes;
        sum.processes += 1;
        usage.set(workspaceId, sum);
      }),
    );
    return usage;
  }
}

interface Usage {
  memoryBytes: number;
  processes: number;
}

function describeExcess(
  usage: Usage | undefined,
  limits: WatchedLimits,
): string | null {
  if (!usage) {
    return null;
  }
  if (usage.memoryBytes > limits.memoryBytes) {
    return `The workspace used more than its ${mebibytes(
      limits.memoryBytes,
    )} MiB of memory and was stopped`;
  }
  const share = limits.processesHeld ? RUNAWAY_SHARE : 1;
  if (usage.processes > limits.processes * share) {
    return `The workspace ran ${usage.processes} processes of at most ${limits.processes} and was stopped`;
  }
  return null;
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / MEBIBYTE);
}

/** Resident memory that a process shares with no file and no other process, in bytes; see statm in proc(5). */
async function privateMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '');
  const [, resident = 0, shared = 0] = text.split(' ').map(Number);
  return Math.max(0, resident - shared) * PAGE_BYTES;
}
