import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram, isReachable, sendSignal } from '@slipway/processes';
import type { JobLimits } from '../jobs/JobParts.ts';
import { describeExcess, GrowthWatch } from './excess.ts';

/** Resource limits of one build. */
export interface ResourceLimits {
  /** Processes and threads. */
  processes: number;
  /** Mebibytes of memory. */
  memoryMiB: number;
  /** Maximum bytes of one file. */
  fileBytes: number;
}

/** Enforces {@link ResourceLimits} on the programs of builds. */
export interface Limiter {
  /** The mechanism, as the end of a sentence. */
  readonly means: string;
  /** Resources that are not limited; sentences for people. */
  readonly gaps: readonly string[];
  /**
   * Creates the limits of a build.
   *
   * @param own - limits of its job, which replace the general ones.
   */
  prepare(buildId: number, own?: JobLimits): Promise<void>;
  /** Returns the command that runs a program of a build within its limits. */
  command(buildId: number, argv: readonly string[]): string[];
  /** Returns why programs of a build were killed, if by a limit; the end of a sentence. */
  explain(buildId: number): Promise<string | undefined>;
  /**
   * Returns which limit a build exceeds, or keeps running into; the end of a sentence. To be called
   * every second.
   *
   * @param sessions - process ids of the running programs of the build.
   */
  excess(
    buildId: number,
    sessions: ReadonlySet<number>,
  ): Promise<string | undefined>;
  /** Kills what is left of a build, and removes its limits. */
  release(buildId: number): Promise<void>;
}

const CGROUPS = '/sys/fs/cgroup';
const FOLDER = 'slipway-builds';
/** The group to which a server moves, so that its former group may contain others. */
const LEAF = 'slipway-server';
const DISK_GAP =
  'Disk space is checked every second: until then, a build can exceed its limit.';
const CPU_GAP = 'Processor time is shared with the build server.';
/** If the machine runs out of memory, the kernel ends builds before the build server. */
const FIRST_TO_GO = 'echo 1000 > /proc/self/oom_score_adj';

/** The limits of builds: those of their jobs, otherwise the general ones. */
class LimitsByBuild {
  readonly #general: ResourceLimits;
  readonly #own = new Map<number, JobLimits>();

  constructor(general: ResourceLimits) {
    this.#general = general;
  }

  set(buildId: number, own: JobLimits): void {
    this.#own.set(buildId, own);
  }

  get(buildId: number): ResourceLimits {
    return { ...this.#general, ...this.#own.get(buildId) };
  }

  delete(buildId: number): void {
    this.#own.delete(buildId);
  }
}

/**
 * Limits each process on its own (rlimits). They count processes per user, so each build
 * needs its own user.
 */
export class ProcessLimits implements Limiter {
  readonly means: string;
  readonly gaps: readonly string[] = [
    CPU_GAP,
    DISK_GAP,
    'Memory is checked every second, as control groups do not work here: until then, a build can exceed its limit.',
  ];
  readonly #limits: LimitsByBuild;
  readonly #prlimit: string | null;

  constructor(limits: ResourceLimits, prlimit: string | null) {
    this.#limits = new LimitsByBuild(limits);
    this.#prlimit = prlimit;
    this.means = prlimit ? 'limits of processes' : 'checks of processes';
  }

  async prepare(buildId: number, own: JobLimits = {}): Promise<void> {
    this.#limits.set(buildId, own);
  }

  command(buildId: number, argv: readonly string[]): string[] {
    const script = `${FIRST_TO_GO} 2>/dev/null; exec "$@"`;
    return [
      ...['/bin/sh', '-c', script, 'limits'],
      ...this.limited(buildId, argv),
    ];
  }

  /** Returns the command that runs a program within the limits of single processes. */
  limited(buildId: number, argv: readonly string[]): string[] {
    const { processes, fileBytes } = this.#limits.get(buildId);
    if (!this.#prlimit) {
      return [...argv];
    }
    return [
      ...[this.#prlimit, `--fsize=${fileBytes}`, '--core=0'],
      ...[`--nproc=${processes}`, ...argv],
    ];
  }

  async explain(): Promise<undefined> {}

  excess(
    buildId: number,
    sessions: ReadonlySet<number>,
  ): Promise<string | undefined> {
    return describeExcess(sessions, this.#limits.get(buildId));
  }

  async release(buildId: number): Promise<void> {
    this.#limits.delete(buildId);
  }
}

/** The control groups under which this process may create others. */
interface GroupHierarchy {
  version: 1 | 2;
  /** Parent folders of the groups of builds; in version 1 one for each controller. */
  parents: readonly string[];
  hasMemory: boolean;
}

/** Creates a control group for each build, which its programs join before they start. */
class ControlGroups implements Limiter {
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
      ...this.#rlimits.limited(buildId, argv),
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
    if (this.#growing.look(buildId, killed + refused)) {
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

  /** @returns how often the kernel killed a process for its memory, and refused to start one. */
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

/** Finds limits that work on this machine, by trial: control groups, else process limits. */
export async function findLimiter(limits: ResourceLimits): Promise<Limiter> {
  const rlimits = new ProcessLimits(limits, findProgram('prlimit', ''));
  const groups = await findControlGroups();
  return groups ? new ControlGroups(groups, limits, rlimits) : rlimits;
}

async function findControlGroups(): Promise<GroupHierarchy | undefined> {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const own = ownGroups();
  // Several servers on one machine may have builds with the same id.
  const name = `${FOLDER}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const parentOf = (controller: string) =>
    path.join(CGROUPS, controller, own.get(controller) ?? '/', name);
  const candidates: GroupHierarchy[] = [];
  if (own.has('') && existsSync(`${CGROUPS}/cgroup.controllers`)) {
    const parents = [parentOf('')];
    candidates.push(
      { version: 2, parents, hasMemory: true },
      { version: 2, parents, hasMemory: false },
    );
  }
  if (own.has('pids') && own.has('memory')) {
    const parents = ['pids', 'memory'].map(parentOf);
    candidates.push({ version: 1, parents, hasMemory: true });
  }
  if (own.has('pids')) {
    const parents = [parentOf('pids')];
    candidates.push({ version: 1, parents, hasMemory: false });
  }
  for (const candidate of candidates) {
    if (await works(candidate)) {
      return candidate;
    }
  }
  return undefined;
}

/** Reads the control groups of this process by controller; version 2 has an empty name. */
function ownGroups(): Map<string, string> {
  try {
    const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
    return new Map(
      lines.flatMap(line => {
        const [, names, group] = line.split(':');
        const parent =
          path.basename(group) === LEAF ? path.dirname(group) : group;
        return names.split(',').map((name): [string, string] => [name, parent]);
      }),
    );
  } catch {
    return new Map();
  }
}

/** Checks whether a group can be created in which limits work. */
async function works({
  version,
  parents,
  hasMemory,
}: GroupHierarchy): Promise<boolean> {
  try {
    for (const parent of parents) {
      await removeStale(path.dirname(parent));
      if (version === 2) {
        const controllers = hasMemory ? '+pids +memory' : '+pids';
        await delegate(path.dirname(parent), controllers);
        await mkdir(parent, { recursive: true });
        await writeFile(
          path.join(parent, 'cgroup.subtree_control'),
          controllers,
        );
      } else {
        await mkdir(parent, { recursive: true });
      }
      const probe = await mkdtemp(path.join(parent, 'probe-'));
      const files = await readdir(probe);
      await rmdir(probe);
      const isOfMemory =
        version === 1 && parent.startsWith(`${CGROUPS}/memory`);
      const needed =
        version === 2
          ? ['pids.max', ...(hasMemory ? ['memory.max'] : [])]
          : [isOfMemory ? 'memory.limit_in_bytes' : 'pids.max'];
      if (!needed.every(name => files.includes(name))) {
        return false;
      }
    }
    return true;
  } catch {
    return false;
  }
}

/** Enables limits in groups below this process's own: version 2 requires that no process remains in it. */
async function delegate(group: string, controllers: string): Promise<void> {
  const control = path.join(group, 'cgroup.subtree_control');
  if (group !== CGROUPS && (await readFile(control, 'utf8')).trim() === '') {
    const leaf = path.join(group, LEAF);
    await mkdir(leaf, { recursive: true });
    await writeFile(path.join(leaf, 'cgroup.procs'), String(process.pid));
  }
  await writeFile(control, controllers);
}

/** Removes the groups of killed servers. */
async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = /^slipway-builds-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isReachable(Number(pid))) {
      const place = path.join(folder, name);
      const entries = await readdir(place, { withFileTypes: true });
      for (const entry of entries.filter(found => found.isDirectory())) {
        await rmdir(path.join(place, entry.name)).catch(() => undefined);
      }
      await rmdir(place).catch(() => undefined);
    }
  }
}
