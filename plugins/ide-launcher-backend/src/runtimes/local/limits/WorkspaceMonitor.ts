import { WorkspaceIsolation } from '@slipway/plugin-ide-launcher-common';
import { privateMemory } from '@slipway/processes';
import { LocalRuntimeLimits } from '../options';
import { IdeProcess } from '../process/IdeProcess';
import { findWorkspaceProcesses } from '../process/processTable';

const MEBIBYTE = 1024 ** 2;
const INTERVAL_MS = 1_000;

/** The limits of workspaces for which no limits were recorded when they started. */
type DefaultLimits = Pick<LocalRuntimeLimits, 'memoryBytes' | 'processes'>;

/** Limits of a workspace that are enforced by monitoring. */
interface WatchedLimits {
  memoryBytes: number;
  /** True if the devfile limits the memory further than the configuration. */
  memoryOfDevfile: boolean;
  processes: number;
  /** True if the kernel enforces the limit on processes. */
  processesHeld: boolean;
}

/** Returns the limits recorded at a workspace's start; unrecorded ones default to the current limits. */
function watchedLimits(
  isolation: WorkspaceIsolation | null,
  limits: DefaultLimits,
): WatchedLimits {
  const { memoryMebibytes, processes } = isolation?.limits ?? {};
  const memoryBytes = memoryMebibytes
    ? memoryMebibytes * MEBIBYTE
    : limits.memoryBytes;
  return {
    memoryBytes,
    memoryOfDevfile: memoryBytes < limits.memoryBytes,
    processes: processes ?? limits.processes,
    processesHeld: Boolean(processes),
  };
}

/**
 * Share of the kernel's limit on processes and threads above which a workspace counts as out of control,
 * because it keeps trying to start more. Only processes are counted here, so threads take the rest.
 */
const RUNAWAY_SHARE = 0.8;

/** Dependencies of {@link WorkspaceMonitor}. */
interface WorkspaceMonitorOptions {
  installation: string;
  limits: DefaultLimits;
  /** The running workspaces by id. */
  running: ReadonlyMap<string, Pick<IdeProcess, 'state'>>;
  /** Called for a workspace over a limit, at every check; `reason` is a sentence for users. */
  onExceeded(workspaceId: string, reason: string): void;
}

/**
 * Periodically checks the resource usage of workspaces and reports those over their limits. The kernel
 * cannot enforce all of them: V8 does not run with a limit on its address space, and only a sandbox has
 * a process count of its own.
 */
export class WorkspaceMonitor {
  readonly #options: WorkspaceMonitorOptions;
  readonly #timer: NodeJS.Timeout;
  #looking = false;

  constructor(options: WorkspaceMonitorOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      // After a failed check, the next one reports the excess.
      this.look().catch(() => undefined);
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Checks once, unless a check is in progress. */
  async look(): Promise<void> {
    const { limits, onExceeded, running } = this.#options;
    if (this.#looking || running.size === 0) {
      return;
    }
    this.#looking = true;
    try {
      const usage = await this.#usage();
      for (const [id, { state }] of [...running]) {
        const watched = watchedLimits(state.isolation, limits);
        const reason = describeExcess(usage.get(id), watched);
        if (reason) {
          onExceeded(id, reason);
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
    for (const { pid, workspaceId } of found) {
      const sum = usage.get(workspaceId) ?? { memoryBytes: 0, processes: 0 };
      sum.memoryBytes += privateMemory(pid);
      sum.processes += 1;
      usage.set(workspaceId, sum);
    }
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
    const advice = limits.memoryOfDevfile
      ? 'raise memoryLimit in its devfile'
      : 'a platform admin can raise the limit';
    return `The workspace used more than its ${mebibytes(
      limits.memoryBytes,
    )} MiB of memory and was stopped; ${advice}`;
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
