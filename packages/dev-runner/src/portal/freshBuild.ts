import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { identifyProcess } from '@slipway/processes';

const FOLDER = /^\.build-(\d+)$/;
/** What is not the package's own, or is what a build makes. */
const NOT_LINKED = /^\.|^(node_modules|dist|dist-types)$/;
/** What rename(2) says where a folder is that is not empty. */
const OCCUPIED: readonly unknown[] = ['ENOTEMPTY', 'EEXIST'];
const ATTEMPTS = 10;

/**
 * Makes a folder beside the sources of a package in which it can be built, by links to
 * all that it has: a bundler empties its `dist` first, which here nobody reads. What
 * killed processes have left of such folders is removed.
 *
 * @param folder - absolute path of the package.
 * @returns absolute path of the folder; the caller removes it.
 */
export function createBuildFolder(folder: string): string {
  for (const name of readdirSync(folder)) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid && (Number(pid) === process.pid || !identifyProcess(Number(pid)))) {
      rmSync(path.join(folder, name), { recursive: true });
    }
  }
  const fresh = path.join(folder, `.build-${process.pid}`);
  mkdirSync(fresh);
  writeFileSync(path.join(fresh, '.gitignore'), '*\n');
  for (const name of readdirSync(folder)) {
    if (!NOT_LINKED.test(name)) {
      symlinkSync(path.join('..', name), path.join(fresh, name));
    }
  }
  return fresh;
}

/**
 * Puts a build in the place of the one before it, whole. For an instant between the
 * two there is none; of two that come at once the later stays.
 *
 * @param build - absolute path, on the same file system.
 * @throws Error of the file system when that cannot be done.
 */
export function replaceBuild(build: string, dist: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(build, dist);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!OCCUPIED.includes(code) || attempt === ATTEMPTS) {
        throw error;
      }
    }
    moveAway(dist, `${build}-${attempt}`);
  }
}

function moveAway(dist: string, target: string): void {
  try {
    renameSync(dist, target);
  } catch (error) {
    // Another build is about to come in its place.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error;
    }
  }
}
