import { createHash } from 'node:crypto';
import {
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';

/** Directories of a site. */
export interface SiteLayout {
  /** Absolute path of the built site. */
  directory: string;
  /** Absolute paths of the source files and folders. */
  sources: readonly string[];
  /** Builds the site into an empty directory. */
  buildInto(directory: string, signal?: AbortSignal): Promise<void>;
}

/** Name of the file in the built site that stores the hash of its sources. */
const STAMP = '.stamp';
/** Prefix of the names of temporary build directories; the process id follows it. */
const BUILD = 'build-';

/** A built site, which is rebuilt when its sources change. */
export class BuiltSite {
  readonly #layout: SiteLayout;
  #files: ReadonlySet<string> = new Set();
  /** Identity of the directory from which `#files` was read; undefined if it did not exist. */
  #known: string | undefined;

  private constructor(layout: SiteLayout) {
    this.#layout = layout;
  }

  /** Opens the site with the result of the last build, if any. */
  static async open(layout: SiteLayout): Promise<BuiltSite> {
    const site = new BuiltSite(layout);
    // The static file server warns if the directory does not exist.
    await mkdir(layout.directory, { recursive: true });
    await site.#read();
    return site;
  }

  get directory(): string {
    return this.#layout.directory;
  }

  get isBuilt(): boolean {
    return this.#files.has('index.html');
  }

  /** Rereads the names of the files if another process has replaced the build. */
  async refresh(): Promise<void> {
    const identity = await this.#identify();
    // Undefined for a moment while the directory is being replaced.
    if (identity !== undefined && identity !== this.#known) {
      await this.#read();
    }
  }

  /**
   * Maps a URL path to a file, relative to {@link directory}; undefined if there is
   * none. Only files that the build wrote can be returned.
   */
  find(pathname: string): string | undefined {
    const name = pathname.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
    return [name, path.posix.join(name, 'index.html')].find(file =>
      this.#files.has(file),
    );
  }

  /**
   * Rebuilds the site if its sources have changed; serves the previous build in the meantime.
   */
  async buildWhenStale(signal?: AbortSignal): Promise<void> {
    const stamp = await stampOf(this.#layout.sources);
    if (stamp !== (await this.#stamp())) {
      await this.build(signal);
    }
  }

  /**
   * Builds into a temporary directory, then replaces the previous build. Several processes may
   * build at the same time; the last one to finish wins.
   */
  async build(signal?: AbortSignal): Promise<void> {
    const { directory, sources, buildInto } = this.#layout;
    const stamp = await stampOf(sources);
    const parent = path.dirname(directory);
    await removeLeftovers(parent);
    const work = await mkdtemp(path.join(parent, `${BUILD}${process.pid}-`));
    try {
      const next = path.join(work, 'site');
      await mkdir(next);
      await buildInto(next, signal);
      await writeFile(path.join(next, STAMP), stamp);
      await replaceDirectory(next, directory, work);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    await this.#read();
  }

  async #stamp(): Promise<string | undefined> {
    try {
      return await readFile(path.join(this.directory, STAMP), 'utf8');
    } catch {
      return undefined;
    }
  }

  async #identify(): Promise<string | undefined> {
    try {
      const { ino, mtimeMs } = await stat(this.directory);
      return `${ino} ${mtimeMs}`;
    } catch {
      return undefined;
    }
  }

  async #read(): Promise<void> {
    // Read before the names, so that the next refresh notices a replacement in the meantime.
    const identity = await this.#identify();
    const files = new Set<string>();
    const entries = glob('**', { cwd: this.directory, withFileTypes: true });
    for await (const entry of entries) {
      if (entry.isFile()) {
        const file = path.join(entry.parentPath, entry.name);
        files.add(
          path.relative(this.directory, file).replaceAll(path.sep, '/'),
        );
      }
    }
    this.#files = files;
    this.#known = identity;
  }
}

/** Removes the build directories of processes that no longer run. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^build-(\d+)-/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) {
      await rm(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Maximum attempts to replace a directory that other builds replace at the same time. */
const ATTEMPTS = 10;

/**
 * Replaces `directory` with `next`; it is missing only between two renames.
 *
 * @param work - directory into which the replaced one is moved; the caller removes it.
 */
async function replaceDirectory(
  next: string,
  directory: string,
  work: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(directory, path.join(work, `previous-${attempt}`));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        throw error;
      }
    }
    try {
      await rename(next, directory);
      return;
    } catch (error) {
      // Another build has put its result there in the meantime.
      const code = codeOf(error);
      if (attempt === ATTEMPTS || (code !== 'ENOTEMPTY' && code !== 'EEXIST')) {
        throw error;
      }
    }
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error
    ? String(error.code)
    : undefined;
}

/**
 * Returns a fingerprint of the given files and of all files in the given folders.
 *
 * @param sources - absolute paths.
 */
async function stampOf(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of await filesOf(source)) {
      hash.update(path.relative(source, file)).update('\0');
      hash.update(await readFile(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

async function filesOf(source: string): Promise<string[]> {
  if ((await stat(source)).isFile()) {
    return [source];
  }
  const files: string[] = [];
  for await (const entry of glob('**', { cwd: source, withFileTypes: true })) {
    if (entry.isFile()) {
      files.push(path.join(entry.parentPath, entry.name));
    }
  }
  return files.sort();
}
