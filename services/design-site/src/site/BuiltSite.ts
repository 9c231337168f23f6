import { createHash } from 'node:crypto';
import {
  glob,
  mkdir,
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

/** A built site, which is rebuilt when its sources change. */
export class BuiltSite {
  readonly #layout: SiteLayout;
  #files: ReadonlySet<string> = new Set();

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

  /** Builds into a temporary directory, then replaces the previous build. */
  async build(signal?: AbortSignal): Promise<void> {
    const { directory, sources, buildInto } = this.#layout;
    const stamp = await stampOf(sources);
    const next = path.join(path.dirname(directory), 'next');
    await rm(next, { recursive: true, force: true });
    await mkdir(next, { recursive: true });
    await buildInto(next, signal);
    await writeFile(path.join(next, STAMP), stamp);
    await rm(directory, { recursive: true, force: true });
    await rename(next, directory);
    await this.#read();
  }

  async #stamp(): Promise<string | undefined> {
    try {
      return await readFile(path.join(this.directory, STAMP), 'utf8');
    } catch {
      return undefined;
    }
  }

  async #read(): Promise<void> {
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
  }
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
