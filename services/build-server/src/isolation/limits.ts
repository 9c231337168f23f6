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

/** Resource limits of one build. */
export interface ResourceLimits {
  /** Processes and threads. */
  processes: number;
  /** Mebibytes of memory; unlimited by default. */
  memoryMiB?: number;
  /** Maximum bytes of one file. */
  fileBytes: number;
}

/** Enforces {@link ResourceLimits} on the programs of builds. */
export interface Limiter {
  /** The mechanism, as the end of a sentence. */
  readonly means: string;
  /** Resources that are not limited; sentences for people. */
  readonly gaps: readonly string[];
  /** Creates the limits of a build. */
  prepare(buildId: number): Promise<void>;
  /** Returns the command that runs a program of a build within its limits. */
  command(buildId: number, argv: readonly string[]): string[];
  /** Returns why programs of a build were killed, if by a limit; the end of a sentence. */
  explain(buildId: number): Promise<string | undefined>;
  /** Kills what is left of a build, and removes its limits. */
  release(buildId: number): Promise<void>;
}

const CGROUPS = '/sys/fs/cgroup';
const FOLDER = 'slipway-builds';
/** The group to which a server moves, so that its former group may contain others. */
const LEAF = 'slipway-server';
const DISK_GAP = 'Disk space is shared with the build server.';
const CPU_GAP = 'Processor time is shared with the build server.';

/**
 * Limits each process on its own (rlimits). They count processes per user, so each build
 * needs its own user.
 */
class ProcessLimits implements Limiter {
  readonly means: string;
  readonly gaps: readonly string[];
  readonly #limits: ResourceLimits;
  readonly #prlimit: string | null;

  constructor(limits: ResourceLimits, prlimit: string | null) {
    this.#limits = limits;
    this.#prlimit = prlimit;
    this.means = prlimit ? 'limits of processes' : 'nothing';
    this.gaps = [
      CPU_GAP,
      DISK_GAP,
      'Memory is shared with the build server: control groups do not work here.',
    ];
  }

  async prepare(): Promise<void> {}

  command(_buildId: number, argv: readonly string[]): string[] {
    const { processes, fileBytes } = this.#limits;
    if (!this.#prlimit) {
      return [...argv];
    }
    return [
      ...[this.#prlimit, `--fsize=${fileBytes}`, '--core=0'],
      ...[`--nproc=${processes}`, ...argv],
    ];
  }

  async explain(): Promise<undefined> {}

  async release(): Promise<void> {}
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
  readonly #limits: ResourceLimits;
  readonly #rlimits: ProcessLimits;

  constructor(
    hierarchy: GroupHierarchy,
    limits: ResourceLimits,
    rlimits: ProcessLimits,
  ) {
    this.#hierarchy = hierarchy;
    this.#limits = limits;
    this.#rlimits = rlimits;
    this.means = `control groups of version ${hierarchy.version}`;
    this.gaps = [
      CPU_GAP,
      DISK_GAP,
      ...(hierarchy.hasMemory && limits.memoryMiB !== undefined
        ? []
        : ['Memory is shared with the build server.']),
    ];
  }

  async prepare(buildId: number): Promise<void> {
    const { processes, memoryMiB } = this.#limits;
    const { version } = this.#hierarchy;
    for (const folder of this.#foldersOf(buildId)) {
      await mkdir(folder, { recursive: true });
      await set(folder, 'pids.max', String(processes));
      if (memoryMiB !== undefined) {
        const bytes = String(memoryMiB * 1024 ** 2);
        await set(
          folder,
          version === 2 ? 'memory.max' : 'memory.limit_in_bytes',
          bytes,
        );
        // Killing a single process would not end the build: the whole group is killed.
        await set(folder, 'memory.oom.group', '1');
      }
    }
  }

  command(buildId: number, argv: readonly string[]): string[] {
    const join =
      'n=$1; shift; while [ "$n" -gt 0 ]; do echo 0 > "$1/cgroup.procs" || exit 125; shift; n=$((n-1)); done; exec "$@"';
    const folders = this.#foldersOf(buildId);
    return [
      ...['/bin/sh', '-c', join, 'limits', String(folders.length)],
      ...folders,
      ...this.#rlimits.command(buildId, argv),
    ];
  }

  async explain(buildId: number): Promise<string | undefined> {
    const texts = await Promise.all(
      this.#foldersOf(buildId).flatMap(folder =>
        ['memory.events', 'memory.oom_control', 'pids.events'].map(name =>
          readFile(path.join(folder, name), 'utf8').catch(() => ''),
        ),
      ),
    );
    const text = texts.join('\n');
    if (/^(?:oom_kill|oom_group_kill) [1-9]/m.test(text)) {
      return `it used more than ${this.#limits.memoryMiB} MiB of memory`;
    }
    return /^max [1-9]/m.test(texts.at(-1) ?? '')
      ? `it started more than ${this.#limits.processes} processes`
      : undefined;
  }

  async release(buildId: number): Promise<void> {
    await Promise.all(this.#foldersOf(buildId).map(removeGroup));
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
  const groups = await findControlGroups(limits);
  return groups ? new ControlGroups(groups, limits, rlimits) : rlimits;
}

async function findControlGroups(
  limits: ResourceLimits,
): Promise<GroupHierarchy | undefined> {
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
    candidates.push({ version: 2, parents: [parentOf('')], hasMemory: true });
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
    if (await works(candidate, limits)) {
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
async function works(
  { version, parents }: GroupHierarchy,
  { memoryMiB }: ResourceLimits,
): Promise<boolean> {
  try {
    for (const parent of parents) {
      await removeStale(path.dirname(parent));
      if (version === 2) {
        const controllers = memoryMiB === undefined ? '+pids' : '+pids +memory';
        await delegate(path.dirname(parent), controllers);
        await mkdir(parent);
        await writeFile(
          path.join(parent, 'cgroup.subtree_control'),
          controllers,
        );
      } else {
        await mkdir(parent);
      }
      const probe = await mkdtemp(path.join(parent, 'probe-'));
      const files = await readdir(probe);
      await rmdir(probe);
      const isOfMemory =
        version === 1 && parent.startsWith(`${CGROUPS}/memory`);
      if (!files.includes(isOfMemory ? 'memory.limit_in_bytes' : 'pids.max')) {
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
