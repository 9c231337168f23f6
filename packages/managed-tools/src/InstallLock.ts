import { randomUUID } from 'node:crypto';
import {
  link,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isReachable,
  processNamespace,
  sendSignal,
  startTimeOf,
} from '@slipway/processes';
import { ToolInstallError } from './ToolInstallError.ts';

const POLL_MS = 300;

/** Interval at which an owner touches its lock file. */
const HEARTBEAT_MS = 5_000;

/** After this long without a touch, the owner is considered dead, on whatever machine it ran. */
const STALE_MS = 45_000;

/** Content of the lock file. */
interface LockOwner {
  pid: number;
  /** Start time of the process; its pid may have been reused since. */
  startTime?: string;
  /**
   * The boot and PID namespace in which the pid is valid; pids of others cannot be checked.
   */
  namespace?: string;
  /** Process group of the program that the owner runs; it outlives an owner that was killed. */
  group: number | null;
}

/** Options of {@link InstallLock}. */
export interface InstallLockOptions {
  /** Path of the lock file. */
  file: string;
  /** Directory that only the lock's owner works in. */
  workFolder: string;
  signal: AbortSignal;
  /** Called once if another process holds the lock. */
  onWait(): void;
}

/**
 * A lock between processes that share a disk, in one container or several. A dead owner loses the lock:
 * immediately if its pid can be checked, otherwise after 45 s without a heartbeat. Before that, the
 * processes that it left running in the work directory are killed.
 */
export class InstallLock {
  #written: Promise<void> = Promise.resolve();
  #heartbeat: NodeJS.Timeout | undefined;

  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /**
   * Waits for the lock and acquires it.
   *
   * @throws ToolInstallError if the signal aborts.
   */
  static async acquire(options: InstallLockOptions): Promise<InstallLock> {
    const { file, workFolder, signal } = options;
    await mkdir(path.dirname(file), { recursive: true });
    const lock = new InstallLock(file);
    let waiting = false;
    while (!(await lock.#tryCreate())) {
      if (signal.aborted) {
        throw new ToolInstallError('aborted', 'The installation was cancelled');
      }
      const content = await readFile(file, 'utf8').catch(() => '');
      const owner = parseOwner(content);
      if (owner && !(await holds(owner, file))) {
        await endLeftover(owner, workFolder);
        await removeStale(file, content);
        continue;
      }
      if (!waiting) {
        waiting = true;
        options.onWait();
      }
      await sleep(POLL_MS);
    }
    lock.#heartbeat = setInterval(() => {
      const now = new Date();
      // Ignored: if touching keeps failing, the lock becomes stale.
      utimes(file, now, now).catch(() => undefined);
    }, HEARTBEAT_MS).unref();
    return lock;
  }

  /** Records the process group of the program that the owner is running; null for none. */
  setGroup(group: number | null): Promise<void> {
    this.#written = this.#written.then(async () => {
      const owner = ownIdentity(group);
      await writeFile(`${this.#file}.new`, JSON.stringify(owner));
      await rename(`${this.#file}.new`, this.#file);
    });
    return this.#written;
  }

  /** Releases the lock. Waits for pending writes first, because a late one would recreate the file. */
  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#written.catch(() => undefined);
    await rm(this.#file, { force: true });
  }

  /** Creates the lock file, complete from the start: writes another file and links it into place. */
  async #tryCreate(): Promise<boolean> {
    const draft = `${this.#file}.${randomUUID()}`;
    await writeFile(draft, JSON.stringify(ownIdentity(null)));
    try {
      await link(draft, this.#file);
      return true;
    } catch (error) {
      if (
        error instanceof Error &&
        'code' in error &&
        error.code === 'EEXIST'
      ) {
        return false;
      }
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
}

function parseOwner(content: string): LockOwner | null {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value && 'pid' in value
      ? (value as LockOwner)
      : null;
  } catch {
    return null;
  }
}

function ownIdentity(group: number | null): LockOwner {
  return {
    pid: process.pid,
    startTime: startTimeOf(process.pid),
    namespace: processNamespace(),
    group,
  };
}

/** Returns whether the owner is still alive. */
async function holds(owner: LockOwner, file: string): Promise<boolean> {
  const touched = await stat(file).catch(() => null);
  if (touched && Date.now() - touched.mtimeMs > STALE_MS) {
    return false;
  }
  if (owner.namespace !== undefined && owner.namespace !== processNamespace()) {
    return true;
  }
  return owner.startTime === undefined
    ? isReachable(owner.pid)
    : owner.startTime === startTimeOf(owner.pid);
}

/**
 * Removes a stale lock. Two waiters may find the same dead owner, but only one rename succeeds. If the
 * renamed lock turns out to be a new one, restores it.
 */
async function removeStale(file: string, seen: string) {
  const aside = `${file}.stale-${process.pid}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== seen) {
    await link(aside, file).catch(() => undefined);
  }
  await rm(aside, { force: true });
}

/**
 * Kills the processes that a dead owner left running. Pids are reused, so the group is only killed if
 * its leader runs in the work directory.
 */
async function endLeftover(owner: LockOwner, workFolder: string) {
  const isOurs =
    owner.namespace === undefined || owner.namespace === processNamespace();
  if (!owner.group || !isOurs) {
    return;
  }
  const cwd = await readlink(`/proc/${owner.group}/cwd`).catch(() => '');
  if (cwd === workFolder || cwd.startsWith(`${workFolder}${path.sep}`)) {
    sendSignal(-owner.group, 'SIGKILL');
  }
}
