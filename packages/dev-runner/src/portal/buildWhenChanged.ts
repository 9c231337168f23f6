import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { identifyProcess } from '@slipway/processes';
import { workspaceClosure } from '../sources.ts';

/** What no build reads: what is installed or made, tests, and pages for people. */
const NOT_SOURCES = /^(node_modules|dist|dist-types|coverage)$|^\.|\.md$/;
const TEST = /\.test\.tsx?$|^__\w+__$/;
/** What is read beside the packages. */
const OF_THE_REPOSITORY = ['yarn.lock', 'app-config.yaml', 'tsconfig.json'];

/**
 * One value for the content of all that a package is built from: itself, the workspace
 * packages that it depends on, and the versions of everything else.
 *
 * @param root - absolute path of the repository.
 */
function digestSources(root: string, packageName: string): string {
  const folders = workspaceClosure(root, packageName);
  const files = [
    ...folders.flatMap(filesIn),
    ...OF_THE_REPOSITORY.map(file => path.join(root, file)),
  ];
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const content = readFileSync(file);
    hash.update(`${path.relative(root, file)}\0${content.length}\0`);
    hash.update(content);
  }
  return hash.digest('hex');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.test(name) && !TEST.test(name))
    .flatMap(entry => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(file) : [file];
    });
}

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
function createBuildFolder(folder: string): string {
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

/** Says in a build what it was made of. */
const MARK = '.built-from';

/**
 * Builds a package unless its build in `dist` is of the sources as they are now.
 * Until the new build is whole the one before it stays, for whoever reads it meanwhile:
 * other platforms of the same checkout do. Resolves to whether it was built.
 *
 * @param options.root - absolute path of the repository.
 * @param options.folder - of the package, relative to the root.
 * @param options.build - makes `dist` in a folder that stands for the package's; what it
 *   leaves when it rejects, or when this process is killed meanwhile, is never taken
 *   for a build.
 */
export async function buildWhenChanged(options: {
  root: string;
  packageName: string;
  folder: string;
  build: (folder: string) => Promise<void>;
}): Promise<boolean> {
  const { root, packageName, build } = options;
  const folder = path.join(root, options.folder);
  const dist = path.join(folder, 'dist');
  // Of what is there before the build: what changes during it is not in it for sure.
  const digest = digestSources(root, packageName);
  if (readMark(path.join(dist, MARK)) === digest) {
    return false;
  }
  const fresh = createBuildFolder(folder);
  try {
    await build(fresh);
    const made = path.join(fresh, 'dist');
    writeFileSync(path.join(made, MARK), digest);
    replaceBuild(made, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return true;
}

function readMark(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
