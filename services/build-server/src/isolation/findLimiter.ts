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
  const groupOf = (controller: string) =>
    path.join(CGROUPS, controller, own.get(controller) ?? '/');
  const parentOf = (controller: string) => path.join(groupOf(controller), name);
  const candidates: GroupHierarchy[] = [];
  if (own.has('') && existsSync(`${CGROUPS}/cgroup.controllers`)) {
    // In a terminal, the server shares its group with other programs, so that it may not contain
    // groups with limits. The one around it belongs to the user if systemd started the session.
    const around = path.join(path.dirname(groupOf('')), name);
    for (const parent of new Set([parentOf(''), around])) {
      if (parent.startsWith(CGROUPS)) {
        const parents = [parent];
        candidates.push(
          { version: 2, parents, hasMemory: true },
          { version: 2, parents, hasMemory: false },
        );
      }
    }
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
        await enable(path.dirname(parent), controllers);
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

/**
 * Enables controllers in the groups below a group. If it is this process's own, the process moves
 * into one of them: version 2 allows no process next to groups with limits.
 *
 * @throws Error if that is not allowed, or if the group contains other processes.
 */
async function enable(group: string, controllers: string): Promise<void> {
  const control = path.join(group, 'cgroup.subtree_control');
  const moveTo = (folder: string) =>
    writeFile(path.join(folder, 'cgroup.procs'), String(process.pid));
  if (group === CGROUPS || !(await isOwn(group))) {
    await writeFile(control, controllers);
    return;
  }
  const leaf = path.join(group, LEAF);
  await mkdir(leaf, { recursive: true });
  await moveTo(leaf);
  try {
    await writeFile(control, controllers);
  } catch (error) {
    await moveTo(group);
    await rmdir(leaf);
    throw error;
  }
}

/** Checks whether this process is in a group itself, not only in one below it. */
async function isOwn(group: string): Promise<boolean> {
  const members = await readFile(path.join(group, 'cgroup.procs'), 'utf8');
  return members.split('\n').includes(String(process.pid));
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
