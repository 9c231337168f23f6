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
import { findProgram, isReachable } from '@slipway/processes';
import { ControlGroups, type GroupHierarchy } from './ControlGroups.ts';
import { type Limiter, ProcessLimits, type ResourceLimits } from './limits.ts';

const CGROUPS = '/sys/fs/cgroup';
const FOLDER = 'slipway-builds';
/** The group to which a server moves, so that its former group may contain others. */
const LEAF = 'slipway-server';

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
