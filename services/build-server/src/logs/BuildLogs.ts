import { constants } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { SecretMask } from '../secrets/SecretMask.ts';
import { BuildLog, cutAt, LogTimes, wholeCharacters } from './BuildLog.ts';
import { LogIndex } from './LogIndex.ts';
import type { NamedSteps } from './StepLines.ts';

/** Maximum bytes of one response. The server keeps one in memory for each viewer. */
const CHUNK_BYTES = 256 * 1024;

/** A part of a log. Offsets are in bytes. */
interface LogChunk {
  bytes: Buffer;
  /** Offset of the next part, in bytes. */
  end: number;
  /** True if more of the log already exists. */
  hasMore: boolean;
}

/** Maximum number of logs whose line index is kept in memory. */
const MAX_INDEXES = 64;
const MAX_RESULT_LINE = 64;
const RESULT_LINE = /(?:^|\n)(?<line>Finished: (?<result>[A-Z_]{1,20})\n)$/;
/** Must have the same length as `Finished: `. */
const DISCARDED = 'Discarded ';
/** Bytes that notes may add to a full log. */
const NOTE_BYTES = 262_144;

/** Stores logs on disk, one file per build. */
export class BuildLogs {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #onWritten: () => void;
  /** Indexes of the logs that people view, most recently used last. */
  readonly #indexes = new Map<number, LogIndex>();
  /** Times of the logs that agents send. */
  readonly #times = new Map<number, LogTimes>();

  /**
   * @param options.directory - absolute.
   * @param options.onWritten - called after each write to an open log.
   */
  constructor(options: {
    directory: string;
    maxBytes: number;
    onWritten?(): void;
  }) {
    this.#directory = options.directory;
    this.#maxBytes = options.maxBytes;
    this.#onWritten = () => options.onWritten?.();
  }

  /** Opens the log of a build for appending; secrets are masked. */
  async append(buildId: number, mask = new SecretMask([])): Promise<BuildLog> {
    const name = this.#fileOf(buildId);
    const file = await open(name, 'a', 0o600).catch(async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      return open(name, 'a', 0o600);
    });
    const { size } = await file.stat();
    const times = new LogTimes(name);
    return new BuildLog({
      ...{ file, times, size, mask },
      maxBytes: this.#maxBytes,
      onWritten: this.#onWritten,
    });
  }

  /**
   * Reads from an offset, 256 KiB at most, without splitting characters. An offset
   * beyond the end starts over, as in Jenkins; a log that does not exist yet is empty.
   */
  async read(
    buildId: number,
    start: number,
    maxBytes = CHUNK_BYTES,
  ): Promise<LogChunk> {
    const file = await open(this.#fileOf(buildId)).catch(() => undefined);
    if (!file) {
      return { bytes: Buffer.alloc(0), end: 0, hasMore: false };
    }
    try {
      const { size } = await file.stat();
      const from = start > size ? 0 : start;
      const buffer = Buffer.allocUnsafe(Math.min(maxBytes, size - from));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
      const whole = wholeCharacters(buffer.subarray(0, bytesRead));
      const end = from + whole.length;
      return {
        bytes: whole,
        end,
        hasMore: from + bytesRead < size,
      };
    } finally {
      await file.close();
    }
  }

  /** Returns the size of a log in bytes. */
  async size(buildId: number): Promise<number> {
    const found = await stat(this.#fileOf(buildId)).catch(() => undefined);
    return found?.size ?? 0;
  }

  /**
   * Writes a part of a log produced elsewhere. A part that would leave a gap is dropped, and so is
   * one beyond the limit; a part already written is overwritten. Secrets not yet masked by the sender
   * are replaced by the same number of stars, so that offsets do not change.
   *
   * @returns the offset at which the next part must begin.
   */
  async writeAt(
    buildId: number,
    offset: number,
    bytes: Buffer,
    mask = new SecretMask([]),
  ): Promise<number> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const { O_CREAT, O_RDWR } = constants;
    const file = await open(this.#fileOf(buildId), O_CREAT | O_RDWR, 0o600);
    try {
      const room = this.#maxBytes + NOTE_BYTES - offset;
      if (room <= 0) {
        // Counts as received: the sender would otherwise send it for ever.
        return offset + bytes.length;
      }
      const { size } = await file.stat();
      if (offset > size) {
        return size;
      }
      const part = cutAt(bytes, room);
      await this.#timesOf(buildId).mark(offset);
      // A secret may have begun in the previous part.
      const before = Buffer.alloc(Math.min(mask.longest, offset));
      const from = offset - before.length;
      await file.read(before, 0, before.length, from);
      const veiled = mask.veil(Buffer.concat([before, part]));
      // The end may be the start of a secret: the sender must send it again, together with what
      // follows.
      const isHeld = veiled.open < part.length;
      const length = veiled.bytes.length - (isHeld ? veiled.open : 0);
      await file.write(veiled.bytes, 0, length, from);
      return from + length;
    } finally {
      await file.close();
    }
  }

  /**
   * Marks the last line of a log as discarded if it announces a result, which was never stored. No
   * offset changes.
   */
  async discardResult(buildId: number): Promise<void> {
    const announced = await this.#announced(buildId);
    if (!announced) {
      return;
    }
    const file = await open(this.#fileOf(buildId), 'r+');
    try {
      await file.write(DISCARDED, announced.start, 'latin1');
    } finally {
      await file.close();
    }
  }

  /**
   * Adds lines to the log of a build whose process is gone, or announced a wrong result: the
   * announcement is discarded.
   */
  async amend(buildId: number, text: string): Promise<void> {
    await this.discardResult(buildId);
    const log = await this.append(buildId);
    try {
      await log.note(`\n${text}`);
    } finally {
      await log.close();
    }
  }

  /** Makes the last line of a log announce the result of its build, unless it already does. */
  async conclude(
    buildId: number,
    { result, reason }: { result: string; reason: string | null },
  ): Promise<void> {
    if ((await this.#announced(buildId))?.result !== result) {
      const why = reason === null ? '' : `==> ${reason}\n`;
      await this.amend(buildId, `${why}Finished: ${result}`);
    }
  }

  /** Reads the result that the last line of a log announces; undefined if there is no such line. */
  async #announced(
    buildId: number,
  ): Promise<{ result: string; start: number } | undefined> {
    const size = await this.size(buildId);
    const from = Math.max(0, size - MAX_RESULT_LINE);
    const { bytes } = await this.read(buildId, from);
    const found = RESULT_LINE.exec(bytes.toString('latin1'));
    return (
      found?.groups && {
        result: found.groups.result,
        start: from + bytes.length - found.groups.line.length,
      }
    );
  }

  /** Opens the file for streaming the whole log. */
  async stream(buildId: number): Promise<NodeJS.ReadableStream | undefined> {
    const file = await open(this.#fileOf(buildId)).catch(() => undefined);
    return file?.createReadStream();
  }

  /**
   * Finds the lines of each step in the current log of a build.
   *
   * @param read - reads the build; called after the size of the log is known, since a
   * step is stored before its first line.
   */
  async index(
    buildId: number,
    read: () => Promise<{ steps: NamedSteps; isEnded: boolean }>,
  ): Promise<LogIndex> {
    const size = await this.size(buildId);
    const { steps, isEnded } = await read();
    const known = this.#indexes.get(buildId);
    const index = known?.isOf(steps)
      ? known
      : new LogIndex(this.#fileOf(buildId), steps);
    this.#indexes.delete(buildId);
    this.#indexes.set(buildId, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > MAX_INDEXES) {
      this.#indexes.delete(oldest);
    }
    await index.extend(size, isEnded);
    return index;
  }

  async remove(buildId: number): Promise<void> {
    this.#indexes.delete(buildId);
    await rm(this.#fileOf(buildId), { force: true });
    await this.#timesOf(buildId).remove();
    this.#times.delete(buildId);
  }

  /**
   * Returns the recorded times of an agent's log. If they are dropped from memory, a second may be
   * recorded twice.
   */
  #timesOf(buildId: number): LogTimes {
    const times =
      this.#times.get(buildId) ?? new LogTimes(this.#fileOf(buildId));
    if (this.#times.size >= MAX_INDEXES) {
      this.#times.clear();
    }
    this.#times.set(buildId, times);
    return times;
  }

  #fileOf(buildId: number): string {
    return path.join(this.#directory, `${buildId}.log`);
  }
}
