import { randomUUID } from 'node:crypto';
import {
  link,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolInstallError } from './ToolInstallError.ts';

const POLL_MS = 300;

/** Content of the lock file. */
interface LockOwner {
  pid: number;
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
 * A lock between processes of one machine. An owner that died loses it, and
 * what it left running in the work folder is ended first.
 */
export class InstallLock {
  private written: Promise<void> = Promise.resolve();

  private readonly file: string;

  private constructor(file: string) {
    this.file = file;
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
    while (!(await lock.tryCreate())) {
      if (signal.aborted) {
        throw new ToolInstallError('aborted', 'The installation was cancelled');
      }
      const content = await readFile(file, 'utf8').catch(() => '');
      const owner = parseOwner(content);
      if (owner && !isAlive(owner.pid)) {
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
    return lock;
  }

  /** Notes the process group that works for the owner now. */
  setGroup(group: number | null): Promise<void> {
    const owner: LockOwner = { pid: process.pid, group };
    this.written = this.written.then(async () => {
      await writeFile(`${this.file}.new`, JSON.stringify(owner));
      await rename(`${this.file}.new`, this.file);
    });
    return this.written;
  }

  /** Gives the lock up, after the last note: a late one would bring the file back. */
  async release(): Promise<void> {
    await this.written.catch(() => undefined);
    await rm(this.file, { force: true });
  }

  /** Written aside and linked into place: the file never exists half-written. */
  private async tryCreate(): Promise<boolean> {
    const draft = `${this.file}.${randomUUID()}`;
    const owner: LockOwner = { pid: process.pid, group: null };
    await writeFile(draft, JSON.stringify(owner));
    try {
      await link(draft, this.file);
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
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
  if (!owner.group) {
    return;
  }
  const cwd = await readlink(`/proc/${owner.group}/cwd`).catch(() => '');
  if (cwd === workFolder || cwd.startsWith(`${workFolder}${path.sep}`)) {
    try {
      process.kill(-owner.group, 'SIGKILL');
    } catch {
      // Gone meanwhile.
    }
  }
}
