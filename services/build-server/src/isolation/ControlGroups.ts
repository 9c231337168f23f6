import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from '@slipway/processes';
import type { JobLimits } from '../jobs/JobParts.ts';
import { GrowthWatch } from './excess.ts';
import {
  CPU_GAP,
  DISK_GAP,
  FIRST_TO_GO,
  type Limiter,
  LimitsByBuild,
  type ProcessLimits,
  type ResourceLimits,
} from './limits.ts';

/** The control groups under which this process may create others. */
export interface GroupHierarchy {
  version: 1 | 2;
  /** Parent folders of the groups of builds; in version 1 one for each controller. */
  parents: readonly string[];
  hasMemory: boolean;
}

/** Creates a control group for each build, which its programs join before they start. */
export class ControlGroups implements Limiter {
  readonly means: string;
  readonly gaps: readonly string[];
  readonly #hierarchy: GroupHierarchy;
  readonly #limits: LimitsByBuild;
  readonly #rlimits: ProcessLimits;
  readonly #growing = new GrowthWatch();

  constructor(
    hierarchy: GroupHierarchy,
    limits: ResourceLimits,
    rlimits: ProcessLimits,
  ) {
    this.#hierarchy = hierarchy;
    this.#limits = new LimitsByBuild(limits);
    this.#rlimits = rlimits;
    this.means = `control groups of version ${hierarchy.version}`;
    this.gaps = [
      CPU_GAP,
      DISK_GAP,
      ...(hierarchy.hasMemory
        ? []
        : [
            'Memory is checked every second: until then, a build can exceed its limit.',
          ]),
    ];
  }

  async prepare(buildId: number, own: JobLimits = {}): Promise<void> {
    this.#limits.set(buildId, own);
    await this.#rlimits.prepare(buildId, own);
    const { processes, memoryMiB } = this.#limits.get(buildId);
    const { version } = this.#hierarchy;
    for (const folder of this.#foldersOf(buildId)) {
      await mkdir(folder, { recursive: true });
      await set(folder, 'pids.max', String(processes));
      await set(
        folder,
        version === 2 ? 'memory.max' : 'memory.limit_in_bytes',
        String(memoryMiB * 1024 ** 2),
      );
      // Otherwise, memory beyond the limit would be swapped to disk.
      await set(folder, 'memory.swap.max', '0');
      // Killing a single process would not end the build: the whole group is killed.
      await set(folder, 'memory.oom.group', '1');
    }
  }

  command(buildId: number, argv: readonly string[]): string[] {
    const join = `${FIRST_TO_GO} 2>/dev/null; n=$1; shift; while [ "$n" -gt 0 ]; do echo 0 > "$1/cgroup.procs" || exit 125; shift; n=$((n-1)); done; exec "$@"`;
    const folders = this.#foldersOf(buildId);
    return [
      ...['/bin/sh', '-c', join, 'limits', String(folders.length)],
      ...folders,
      ...this.#rlimits.limited(buildId, argv, { ofProcesses: false }),
    ];
  }

  async explain(buildId: number): Promise<string | undefined> {
    const { memoryMiB, processes } = this.#limits.get(buildId);
    const { killed, refused } = await this.#eventsOf(buildId);
    if (killed > 0) {
      return `it used more than ${memoryMiB} MiB of memory`;
    }
    return refused > 0
      ? `it started more than ${processes} processes`
      : undefined;
  }

  async excess(
    buildId: number,
    sessions: ReadonlySet<number>,
  ): Promise<string | undefined> {
    const { killed, refused } = await this.#eventsOf(buildId);
    // A program may cope with the limits; one that keeps trying does not.
    if (this.#growing.sample(buildId, killed + refused)) {
      return this.explain(buildId);
    }
    return this.#hierarchy.hasMemory
      ? undefined
      : this.#rlimits.excess(buildId, sessions);
  }

  async release(buildId: number): Promise<void> {
    await Promise.all(this.#foldersOf(buildId).map(removeGroup));
    await this.#rlimits.release(buildId);
    this.#limits.delete(buildId);
    this.#growing.forget(buildId);
  }

  /**
   * Counts how often the kernel killed a process because of its memory use, and refused to start
   * one.
   */
  async #eventsOf(
    buildId: number,
  ): Promise<{ killed: number; refused: number }> {
    const countIn = async (name: string, key: RegExp) => {
      const texts = await Promise.all(
        this.#foldersOf(buildId).map(folder =>
          readFile(path.join(folder, name), 'utf8').catch(() => ''),
        ),
      );
      return Number(key.exec(texts.join('\n'))?.[1] ?? 0);
    };
    const [ofEvents, ofControl, refused] = await Promise.all([
      countIn('memory.events', /^oom_kill (\d+)$/m),
      countIn('memory.oom_control', /^oom_kill (\d+)$/m),
      countIn('pids.events', /^max (\d+)$/m),
    ]);
    return { killed: ofEvents + ofControl, refused };
  }

  #foldersOf(buildId: number): string[] {
    return this.#hierarchy.parents.map(parent =>
      path.join(parent, String(buildId)),
    );
  }
}

/** Kills the processes of a control group and removes it. */
async function removeGroup(folder: string): Promise<void> {
  // Killed programs count until they are gone.
  for (let left = 40; left > 0 && existsSync(folder); left -= 1) {
    try {
      await rmdir(folder);
    } catch {
      await killGroup(folder);
      await sleep(25);
    }
  }
}

async function killGroup(folder: string): Promise<void> {
  if (existsSync(path.join(folder, 'cgroup.kill'))) {
    await set(folder, 'cgroup.kill', '1');
    return;
  }
  const file = path.join(folder, 'cgroup.procs');
  const pids = await readFile(file, 'utf8').catch(() => '');
  for (const pid of pids.split('\n').filter(Boolean)) {
    sendSignal(Number(pid), 'SIGKILL');
  }
}

/** Writes a file of a control group, if it exists. */
async function set(folder: string, name: string, value: string): Promise<void> {
  const file = path.join(folder, name);
  if (existsSync(file)) {
    await writeFile(file, value).catch(() => undefined);
  }
}
