import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { SecretMask } from '../secrets/SecretMask.ts';
import { BuildLog } from './BuildLog.ts';
import { wholeCharacters } from './wholeCharacters.ts';

/** Bytes of one answer. */
const CHUNK_BYTES = 512 * 1024;

/** A part of a log. Offsets count bytes. */
export interface LogChunk {
  text: string;
  /** Where the next part begins. */
  end: number;
  /** Whether there is more of it already. */
  hasMore: boolean;
}

/** Logs on disk, one file for each build. */
export class BuildLogs {
  readonly #directory: string;
  readonly #maxBytes: number;

  /** @param options.directory - absolute. */
  constructor(options: { directory: string; maxBytes: number }) {
    this.#directory = options.directory;
    this.#maxBytes = options.maxBytes;
  }

  /** Opens the log of a build to write at its end, without its secrets. */
  async append(buildId: number, mask = new SecretMask([])): Promise<BuildLog> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const file = await open(this.#fileOf(buildId), 'a', 0o600);
    const { size } = await file.stat();
    return new BuildLog({ file, size, mask, maxBytes: this.#maxBytes });
  }

  /**
   * Reads from an offset, half a MiB at most and never half a character. An offset
   * behind the end starts over, as in Jenkins; a log that is not there yet is empty.
   */
  async read(
    buildId: number,
    start: number,
    maxBytes = CHUNK_BYTES,
  ): Promise<LogChunk> {
    const file = await open(this.#fileOf(buildId)).catch(() => undefined);
    if (!file) {
      return { text: '', end: 0, hasMore: false };
    }
    try {
      const { size } = await file.stat();
      const from = start > size ? 0 : start;
      const buffer = Buffer.alloc(Math.min(maxBytes, size - from));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
      const whole = wholeCharacters(buffer.subarray(0, bytesRead));
      const end = from + whole.length;
      return {
        text: whole.toString('utf8'),
        end,
        hasMore: from + bytesRead < size,
      };
    } finally {
      await file.close();
    }
  }

  /** The file, to stream all of it. */
  async stream(buildId: number): Promise<NodeJS.ReadableStream | undefined> {
    const file = await open(this.#fileOf(buildId)).catch(() => undefined);
    return file?.createReadStream();
  }

  async remove(buildId: number): Promise<void> {
    await rm(this.#fileOf(buildId), { force: true });
  }

  #fileOf(buildId: number): string {
    return path.join(this.#directory, `${buildId}.log`);
  }
}
