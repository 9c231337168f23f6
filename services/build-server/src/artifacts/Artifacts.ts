import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  readlink,
  realpath,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import path from 'node:path';
import type { Artifact } from '../builds/Build.ts';
import { findFiles } from './findFiles.ts';

const MAX_FILES = 1_000;
const MAX_PATH = 1_000;
/** Maximum number of builds whose artifact sizes are cached while their agents send files. */
const MAX_RECEIVING = 200;
const COPY_BYTES = 256 * 1024;

/** Thrown for artifacts that cannot be stored; the message is for people. */
export class ArtifactError extends Error {
  override readonly name = 'ArtifactError';
}

/** Stores the artifacts of builds, one folder per build. */
export class Artifacts {
  readonly #directory: string;
  readonly #maxBytes: number;
  /**
   * Sizes of the artifacts that agents send, by build and name; includes files still being
   * received.
   */
  readonly #received = new Map<number, Map<string, number>>();

  /**
   * @param options.directory - absolute.
   * @param options.maxBytes - limit for all files of one build.
   */
  constructor(options: { directory: string; maxBytes: number }) {
    this.#directory = options.directory;
    this.#maxBytes = options.maxBytes;
  }

  /**
   * Stores the files of a work directory that match globs. Symbolic links, and files
   * behind them, are skipped: a build must not publish files that only the server may
   * read.
   *
   * @throws ArtifactError if there are too many, or they are too large.
   */
  async collect(
    buildId: number,
    options: {
      directory: string;
      globs: readonly string[];
      signal: AbortSignal;
    },
  ): Promise<Artifact[]> {
    const { globs, signal } = options;
    if (globs.length === 0) {
      return [];
    }
    const root = await realpath(options.directory);
    const kept = new Map<string, Artifact>();
    let total = 0;
    for await (const name of findFiles(root, globs)) {
      signal.throwIfAborted();
      const source = kept.has(name) ? undefined : await openInside(root, name);
      if (!source) {
        continue;
      }
      try {
        const { size } = await source.stat();
        total += size;
        this.#assertFits({ files: kept.size + 1, total });
        await this.#keep(buildId, name, { source, size, signal });
        kept.set(name, { path: name, size });
      } finally {
        await source.close();
      }
    }
    return [...kept.values()].sort((one, other) =>
      one.path.localeCompare(other.path),
    );
  }

  /**
   * Stores a file sent by an agent.
   *
   * @param options.isHeld - called before the file is moved into place.
   * @returns its result.
   * @throws ArtifactError if the name is invalid, or there are too many files, or they are too
   * large.
   */
  async receive(
    buildId: number,
    name: string,
    options: {
      content: AsyncIterable<Buffer>;
      isHeld(): Promise<boolean>;
    },
  ): Promise<boolean> {
    const folder = this.#folderOf(buildId);
    const target = path.resolve(folder, name);
    if (
      !target.startsWith(folder + path.sep) ||
      name.length > MAX_PATH ||
      name.includes('\0')
    ) {
      throw new ArtifactError(`'${name.slice(0, 100)}' is not a path`);
    }
    const sizes = await this.#sizesOf(buildId);
    const place = path.relative(folder, target);
    const before = sizes.get(place);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    const part = `${folder}.${randomBytes(6).toString('hex')}.part`;
    const file = await open(part, 'wx', 0o600);
    let isKept = false;
    try {
      sizes.set(place, 0);
      this.#assertFit(sizes);
      for await (const chunk of options.content) {
        sizes.set(place, sizes.get(place)! + chunk.length);
        this.#assertFit(sizes);
        await file.writeFile(chunk);
      }
      if (!(await options.isHeld())) {
        return false;
      }
      await rename(part, target);
      isKept = true;
      return true;
    } finally {
      if (!isKept) {
        sizes.delete(place);
        if (before !== undefined) {
          sizes.set(place, before);
        }
      }
      await file.close();
      await rm(part, { force: true });
    }
  }

  /** Opens an artifact; returns undefined if not found. */
  async open(buildId: number, name: string): Promise<FileHandle | undefined> {
    const root = await realpath(this.#folderOf(buildId)).catch(() => undefined);
    return root === undefined ? undefined : openInside(root, name);
  }

  async remove(buildId: number): Promise<void> {
    this.#received.delete(buildId);
    await rm(this.#folderOf(buildId), { recursive: true, force: true });
  }

  /**
   * Returns the sizes of a build's artifacts; the folder is read only for the first file of a
   * build.
   */
  async #sizesOf(buildId: number): Promise<Map<string, number>> {
    const known = this.#received.get(buildId);
    if (known) {
      return known;
    }
    const folder = this.#folderOf(buildId);
    const sizes = new Map<string, number>();
    const names = await readdir(folder, { recursive: true }).catch(
      (): string[] => [],
    );
    for (const name of names) {
      const found = await stat(path.join(folder, name)).catch(() => undefined);
      if (found?.isFile()) {
        sizes.set(name, found.size);
      }
    }
    // Read again when needed.
    for (const oldest of this.#received.keys()) {
      if (this.#received.size < MAX_RECEIVING) {
        break;
      }
      this.#received.delete(oldest);
    }
    const raced = this.#received.get(buildId) ?? sizes;
    this.#received.set(buildId, raced);
    return raced;
  }

  #assertFit(sizes: ReadonlyMap<string, number>): void {
    const total = [...sizes.values()].reduce((sum, one) => sum + one, 0);
    this.#assertFits({ files: sizes.size, total });
  }

  #assertFits({ files, total }: { files: number; total: number }): void {
    if (files > MAX_FILES) {
      throw new ArtifactError(`There are more than ${MAX_FILES} artifacts`);
    }
    if (total > this.#maxBytes) {
      throw new ArtifactError(
        `The artifacts are larger than ${this.#maxBytes} bytes in total`,
      );
    }
  }

  async #keep(
    buildId: number,
    name: string,
    from: { source: FileHandle; size: number; signal: AbortSignal },
  ): Promise<void> {
    const { source, size, signal } = from;
    const target = path.join(this.#folderOf(buildId), name);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(target, 'w', 0o600);
    try {
      const buffer = Buffer.alloc(COPY_BYTES);
      // Limited to the measured size: the file may still grow.
      for (let at = 0; at < size;) {
        signal.throwIfAborted();
        const length = Math.min(buffer.length, size - at);
        const { bytesRead } = await source.read(buffer, 0, length, at);
        if (bytesRead === 0) {
          break;
        }
        await file.writeFile(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  }

  #folderOf(buildId: number): string {
    return path.join(this.#directory, String(buildId));
  }
}

/** Opens a regular file in a folder, never through a link: checks the opened file, not its name. */
export async function openInside(
  root: string,
  name: string,
): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  if (name === '' || name.length > MAX_PATH || name.includes('\0')) {
    return undefined;
  }
  const place = path.resolve(root, name);
  if (!place.startsWith(root + path.sep)) {
    return undefined;
  }
  const file = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
    () => undefined,
  );
  const isMeant =
    file !== undefined &&
    (await file.stat()).isFile() &&
    (await realPathOf(file, place)) === place;
  if (!isMeant) {
    await file?.close();
    return undefined;
  }
  return file;
}

async function realPathOf(file: FileHandle, place: string): Promise<string> {
  return readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(place));
}
