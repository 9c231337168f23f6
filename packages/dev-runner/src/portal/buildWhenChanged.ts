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

/** Files that builds do not read: installed or generated files, tests, and documentation. */
const NOT_SOURCES = /^(node_modules|dist|dist-types|coverage)$|^\.|\.md$/;
const TEST = /\.test\.tsx?$|^__\w+__$/;
/** Files outside the packages that builds read. */
const OF_THE_REPOSITORY = ['yarn.lock', 'app-config.yaml', 'tsconfig.json'];

/**
 * Computes a digest of everything that a package is built from: itself, the workspace packages that
 * it depends on, and the versions of everything else.
 *
 * @param root - absolute path of the repository.
 * @param tools - directory of what else takes part in the build, relative to the root.
 */
function digestSources(
  root: string,
  packageName: string,
  tools: string,
): string {
  const folders = [
    ...workspaceClosure(root, packageName),
    path.join(root, tools),
  ];
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
/** Hidden files, dependencies, and files that builds create. */
const NOT_LINKED = /^\.|^(node_modules|dist|dist-types)$/;
/** Error codes of rename(2) if the target is a directory that is not empty. */
const OCCUPIED: readonly unknown[] = ['ENOTEMPTY', 'EEXIST'];
const ATTEMPTS = 10;

/**
 * Creates a directory next to the sources of a package in which it can be built, with links to all
 * its files: a bundler first empties `dist`, which nobody reads here. Removes such directories left
 * behind by killed processes.
 *
 * @param folder - absolute path of the package.
 * @returns absolute path of the directory; the caller removes it.
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
 * Replaces the previous build as a whole. There is no build for a brief moment; of two concurrent
 * builds, the later one remains.
 *
 * @param build - absolute path, on the same file system.
 * @throws Error of the file system if it cannot be replaced.
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
    // Another build is about to replace it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error;
    }
  }
}

/** A file in a build with the digest of its sources. */
const MARK = '.built-from';

/**
 * Builds a package unless `dist` is a build of the current sources. The previous build remains
 * until the new one is complete, for other platforms of the same checkout that read it. Resolves to
 * whether it was built.
 *
 * @param options.root - absolute path of the repository.
 * @param options.folder - directory of the package, relative to the root.
 * @param options.tools - directory of what changes the built files, relative to the root.
 * @param options.build - creates `dist` in a copy of the package's directory; its output is
 *   discarded if it rejects, or if this process is killed in the meantime.
 */
export async function buildWhenChanged(options: {
  root: string;
  packageName: string;
  folder: string;
  tools: string;
  build: (folder: string) => Promise<void>;
}): Promise<boolean> {
  const { root, packageName, tools, build } = options;
  const folder = path.join(root, options.folder);
  const dist = path.join(folder, 'dist');
  // Computed before the build, as changes made during the build may not be included.
  const digest = digestSources(root, packageName, tools);
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
