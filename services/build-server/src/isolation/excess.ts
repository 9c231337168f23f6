import { privateMemory, processIds, readProcess } from '@slipway/processes';

const MEBIBYTE = 1024 ** 2;
/**
 * Share of the limit on processes above which a build is out of control. It is below 1 because the
 * kernel also counts threads, which are not counted here.
 */
const RUNAWAY_SHARE = 0.8;
/**
 * Time for which all builds share one reading of the process table, which takes milliseconds. It is
 * less than the second between two checks of a build, so that each check uses a new reading.
 */
const SHARED_MS = 500;

/**
 * Returns which limit the running programs of a build exceed, as the end of a sentence. All
 * descendants of the programs count, since nothing can leave a sandbox.
 *
 * @param sessions - process ids of the programs.
 */
export function describeExcess(
  sessions: ReadonlySet<number>,
  limits: { processes: number; memoryMiB: number },
): string | undefined {
  if (sessions.size === 0) {
    return undefined;
  }
  const pids = descendantsOf(sessions);
  const bytes = pids.reduce((sum, pid) => sum + privateMemory(pid), 0);
  if (bytes > limits.memoryMiB * MEBIBYTE) {
    return `it used more than ${limits.memoryMiB} MiB of memory`;
  }
  return pids.length > limits.processes * RUNAWAY_SHARE
    ? `it ran ${pids.length} processes of at most ${limits.processes}`
    : undefined;
}

/** The children of each process of this machine, as of the last reading. */
let table = { children: new Map<number, number[]>(), readAt: -Infinity };

/** Returns the children of each process, from a reading at most {@link SHARED_MS} old. */
function childrenByParent(): ReadonlyMap<number, number[]> {
  const now = performance.now();
  if (now - table.readAt < SHARED_MS) {
    return table.children;
  }
  const children = new Map<number, number[]>();
  for (const pid of processIds()) {
    const entry = readProcess(pid);
    if (entry) {
      const siblings = children.get(entry.parent) ?? [];
      siblings.push(pid);
      children.set(entry.parent, siblings);
    }
  }
  table = { children, readAt: now };
  return children;
}

function descendantsOf(roots: ReadonlySet<number>): number[] {
  const children = childrenByParent();
  const found = new Set(roots);
  // Entries added during the iteration are visited too.
  for (const pid of found) {
    children.get(pid)?.forEach(child => found.add(child));
  }
  return [...found];
}

/** Detects counters that grow between consecutive samples, twice in a row. */
export class GrowthWatch {
  readonly #seen = new Map<number, { count: number; hasGrown: boolean }>();

  /** Records a sample. @returns true if the counter of the build has grown twice in a row. */
  sample(buildId: number, count: number): boolean {
    const last = this.#seen.get(buildId) ?? { count: 0, hasGrown: false };
    const hasGrown = count > last.count;
    this.#seen.set(buildId, { count, hasGrown });
    return hasGrown && last.hasGrown;
  }

  forget(buildId: number): void {
    this.#seen.delete(buildId);
  }
}
