import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { matchesGlob } from '../../jobs/globs.ts';
import { PlaceLostError } from '../Executor.ts';
import { ReportError } from '../commands.ts';
import { freshName } from '../placeFiles.ts';
import type { BuildCluster } from './BuildCluster.ts';
import { INSIDE } from './podSpec.ts';
import { FileWriter } from './FileWriter.ts';
import { execInPod } from './podExec.ts';

const TRIES = 3;
const MAX_NAMES = 100_000;
const MAX_NAME_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 3_000;

/**
 * Shell script that writes `$0` bytes of its input to the file `$1`, and prints the number of bytes
 * written.
 */
const RECEIVE =
  'umask 022; head -c "$0" > "$1.part" && mv "$1.part" "$1" && wc -c < "$1"';
/** Lists regular files; links are not followed. */
const LIST = 'cd "$0" 2>/dev/null || exit 0; find . -type f -print0';
/**
 * Shell script that writes each named file after a line with its length in bytes, or a line `-` if it
 * does not exist.
 */
const SEND = `cd "$0" || exit 1
head -c "$1" | while IFS= read -r name; do
  if [ -f "$name" ] && [ ! -L "$name" ]; then
    size=$(wc -c < "$name") && echo "$((size))" && head -c "$size" < "$name"
  else
    echo -
  fi
done`;

/** Moves files between this machine and the folders of a build in a pod. */
export class PodFiles {
  readonly #cluster: BuildCluster;
  readonly #pod: string;
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal;

  /**
   * @param options.directory - absolute; for copies.
   * @param options.maxBytes - limit for all files that are copied together.
   */
  constructor(options: {
    cluster: BuildCluster;
    pod: string;
    directory: string;
    maxBytes: number;
    signal: AbortSignal;
  }) {
    this.#cluster = options.cluster;
    this.#pod = options.pod;
    this.#directory = options.directory;
    this.#maxBytes = options.maxBytes;
    this.#signal = options.signal;
  }

  /** Copies files of the work folder. @returns the folder with the copies. */
  async bring(globs: readonly string[]): Promise<string> {
    const target = await mkdtemp(path.join(this.#directory, 'copy-'));
    const names = (await this.#list()).filter(name =>
      globs.some(glob => matchesGlob(name, path.normalize(glob))),
    );
    if (names.length > MAX_FILES) {
      throw new ReportError(
        `More than ${MAX_FILES} files match ${globs.join(', ')}`,
      );
    }
    if (names.length > 0) {
      await this.#retry(() => this.#copy(INSIDE.work, names, target));
    }
    return target;
  }

  /** Writes a file into the home folder. @returns its name in the pod. */
  async put(content: AsyncIterable<Buffer>): Promise<string> {
    const name = freshName();
    const spool = path.join(this.#directory, name);
    const target = `${INSIDE.home}/${name}`;
    try {
      const copy = createWriteStream(spool, { flags: 'wx', mode: 0o600 });
      await pipeline(content, copy);
      const size = copy.bytesWritten;
      await this.#retry(async () => {
        const written = await this.#ask(
          ['/bin/sh', '-c', RECEIVE, String(size), target],
          createReadStream(spool) as AsyncIterable<Buffer>,
        );
        if (Number(written.toString()) !== size) {
          throw new PlaceLostError(
            'a file did not arrive completely in its pod',
          );
        }
      });
    } finally {
      await rm(spool, { force: true });
    }
    return target;
  }

  /** Opens a copy of a file of the home folder; the copy is already unlinked. */
  async open(name: string): Promise<FileHandle | undefined> {
    const target = await mkdtemp(path.join(this.#directory, 'copy-'));
    try {
      await this.#retry(() => this.#copy(INSIDE.home, [name], target));
      return await open(path.join(target, name)).catch(() => undefined);
    } finally {
      await rm(target, { recursive: true, force: true });
    }
  }

  /** Lists the names of regular files, relative to the work folder; leaves out unsafe names. */
  async #list(): Promise<string[]> {
    const text = await this.#ask(['/bin/sh', '-c', LIST, INSIDE.work]);
    const names = text
      .toString('utf8')
      .split('\0')
      .map(name => name.replace(/^\.\//, ''))
      .filter(isSafe);
    if (names.length > MAX_NAMES) {
      throw new ReportError(`There are more than ${MAX_NAMES} files`);
    }
    return names;
  }

  /**
   * Copies files. Their names come from this machine and only their lengths from the pod, so the
   * pod cannot make this machine write anywhere else.
   */
  async #copy(
    folder: string,
    names: readonly string[],
    target: string,
  ): Promise<void> {
    const list = Buffer.from(`${names.join('\n')}\n`);
    const writer = new FileWriter(target, names, this.#maxBytes);
    try {
      const code = await execInPod({
        ...{ cluster: this.#cluster, pod: this.#pod, signal: this.#signal },
        argv: ['/bin/sh', '-c', SEND, folder, String(list.length)],
        input: [list],
        output: async (chunk, stream) =>
          stream === 'stdout' ? writer.write(chunk) : undefined,
      });
      if (code !== 0 || !writer.isDone) {
        throw new PlaceLostError(
          'a file did not arrive completely from its pod',
        );
      }
    } finally {
      await writer.close();
    }
  }

  /** Runs a program and returns what it prints. */
  async #ask(
    argv: readonly string[],
    input?: AsyncIterable<Buffer>,
  ): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    const code = await execInPod({
      ...{ cluster: this.#cluster, pod: this.#pod, signal: this.#signal },
      ...{ argv, input },
      output: async (chunk, stream) => {
        size += chunk.length;
        if (size > MAX_NAME_BYTES) {
          throw new ReportError('The file names are too long in total');
        }
        if (stream === 'stdout') {
          parts.push(chunk);
        }
      },
    });
    if (code !== 0) {
      throw new PlaceLostError(`its pod failed with exit code ${code}`);
    }
    return Buffer.concat(parts);
  }

  /** Retries a copy after a lost connection; copying is idempotent. */
  async #retry<T>(work: () => Promise<T>): Promise<T> {
    for (let left = TRIES - 1; ; left -= 1) {
      try {
        return await work();
      } catch (error) {
        if (left === 0 || !(error instanceof PlaceLostError)) {
          throw error;
        }
      }
    }
  }
}

/** Checks that a name neither leaves its folder nor contains a line break. */
function isSafe(name: string): boolean {
  return (
    name !== '' &&
    !name.includes('\n') &&
    !path.posix.isAbsolute(name) &&
    !name.split('/').includes('..')
  );
}
