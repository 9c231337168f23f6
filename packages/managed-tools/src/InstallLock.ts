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

/** How often an owner touches its lock. */
const HEARTBEAT_MS = 5_000;

/** After so long without a touch the owner is gone, wherever it ran. */
const STALE_MS = 45_000;

/** Content of the lock file. */
interface LockOwner {
  pid: number;
  /** When the process started; another process may have its pid by now. */
  startTime?: string;
  /** The boot and container in which the pid is valid; pids of others mean nothing here. */
  namespace?: string;
  /** Process group of the program the owner runs; it outlives an owner that was killed. */
  group: number | null;
}

/** How a lock is taken. */
export interface InstallLockOptions {
  /** Path of the lock file. */
  file: string;
  /** Folder that only the lock's owner works in. */
  workFolder: string;
  signal: AbortSignal;
  /** Called once when another process holds the lock. */
  onWait(): void;
}

/**
 * A lock between processes that share a disk, of one container or of several. An owner
 * that died loses it: at once where its pid can be looked up, else after 45 s without a
 * heartbeat. What it left running in the work folder is ended first.
 */
export class InstallLock {
  #written: Promise<void> = Promise.resolve();
  #heartbeat: NodeJS.Timeout | undefined;

  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /**
   * Waits for the lock and takes it.
   *
   * @throws ToolInstallError when the signal aborts.
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
      // A touch that fails says no more than one that is late.
      utimes(file, now, now).catch(() => undefined);
    }, HEARTBEAT_MS).unref();
    return lock;
  }

  /** Notes the process group that works for the owner now. */
  setGroup(group: number | null): Promise<void> {
    this.#written = this.#written.then(async () => {
      const owner = ownIdentity(group);
      await writeFile(`${this.#file}.new`, JSON.stringify(owner));
      await rename(`${this.#file}.new`, this.#file);
    });
    return this.#written;
  }

  /** Gives the lock up, after the last note: a late one would bring the file back. */
  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#written.catch(() => undefined);
    await rm(this.#file, { force: true });
  }

  /** Written aside and linked into place: the file never exists half-written. */
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

/** Tells whether the owner still works under its lock. */
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

/** Two waiters may find the same dead owner; only one rename wins, and a fresh lock is put back. */
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

/** Pids are reused: the group is ended only while its leader stands in the work folder. */
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
