import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { SecretMask } from '../secrets/SecretMask.ts';
import { LogIndex } from './LogIndex.ts';
import { LogTimes } from './LogTimes.ts';
import type { NamedSteps } from './StepLines.ts';

/** Maximum bytes of one response. */
const CHUNK_BYTES = 512 * 1024;

/** A part of a log. Offsets are in bytes. */
export interface LogChunk {
  text: string;
  /** Offset of the next part, in bytes. */
  end: number;
  /** True if more of the log already exists. */
  hasMore: boolean;
}

/** A longer line is split. */
const MAX_LINE_BYTES = 65_536;
const NEWLINE = 10;
/** Maximum number of logs whose line index is kept in memory. */
const MAX_INDEXES = 64;
/** Bytes that notes may add to a full log. */
const NOTE_BYTES = 262_144;

/** The output of one program in a shared log: whole lines, each with a prefix. */
export class LogLines {
  readonly #prefix: Buffer;
  readonly #mask: SecretMask;
  readonly #write: (bytes: Buffer) => Promise<void>;
  #rest = Buffer.alloc(0);

  constructor(options: {
    prefix: string;
    mask: SecretMask;
    write(bytes: Buffer): Promise<void>;
  }) {
    this.#prefix = Buffer.from(options.mask.text(options.prefix));
    this.#mask = options.mask;
    this.#write = options.write;
  }

  write(part: Buffer): Promise<void> {
    return this.#take(this.#mask.next(part), false);
  }

  /** Writes the buffered part of an unfinished line. */
  end(): Promise<void> {
    return this.#take(this.#mask.end(), true);
  }

  async #take(bytes: Buffer, isEnd: boolean): Promise<void> {
    const text = Buffer.concat([this.#rest, bytes]);
    const found = text.lastIndexOf(NEWLINE) + 1;
    const isWhole = isEnd || text.length - found > MAX_LINE_BYTES;
    const end = isWhole ? text.length : found;
    this.#rest = text.subarray(end);
    const lines: Buffer[] = [];
    for (let from = 0; from < end;) {
      const next = text.indexOf(NEWLINE, from) + 1;
      const to = next > 0 && next <= end ? next : end;
      lines.push(this.#prefix, text.subarray(from, to));
      if (text[to - 1] !== NEWLINE) {
        lines.push(Buffer.from('\n'));
      }
      from = to;
    }
    if (lines.length > 0) {
      await this.#write(Buffer.concat(lines));
    }
  }
}

/** The log of a running build; parts are written in the order of the calls. */
export class BuildLog {
  readonly #file: FileHandle;
  readonly #times: LogTimes;
  readonly #mask: SecretMask;
  readonly #maxBytes: number;
  #size: number;
  #isFull = false;
  #last: Promise<void> = Promise.resolve();

  constructor(options: {
    file: FileHandle;
    times: LogTimes;
    size: number;
    mask: SecretMask;
    maxBytes: number;
  }) {
    this.#file = options.file;
    this.#times = options.times;
    this.#mask = options.mask;
    this.#size = options.size;
    this.#maxBytes = options.maxBytes;
  }

  /** Resolves once written to the file; output beyond the limit is dropped. */
  write(part: Buffer | string): Promise<void> {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    this.#last = this.#last.then(() => this.#write(this.#mask.next(bytes)));
    return this.#last;
  }

  /**
   * Writes a line from the server, which is not subject to the limit, and ends an
   * unfinished line before it.
   */
  note(line: string): Promise<void> {
    this.#last = this.#last.then(async () => {
      await this.#write(this.#mask.end());
      await this.#append(Buffer.from(`${this.#mask.text(line)}\n`));
    });
    return this.#last;
  }

  /** Starts the output of one of several programs that run in parallel. */
  lines(prefix: string): LogLines {
    return new LogLines({
      prefix,
      mask: this.#mask.again(),
      write: bytes => {
        this.#last = this.#last.then(() => this.#write(bytes));
        return this.#last;
      },
    });
  }

  /** Writes buffered output and closes the file, even if writing fails. */
  async close(): Promise<void> {
    try {
      await this.#last;
      await this.#write(this.#mask.end());
    } finally {
      await this.#file.close();
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#isFull) {
      return;
    }
    const room = this.#maxBytes - this.#size;
    if (bytes.length <= room) {
      await this.#append(bytes);
      return;
    }
    this.#isFull = true;
    await this.#append(bytes.subarray(0, Math.max(0, room)));
    await this.#append(
      Buffer.from(
        `\n==> The log has reached ${
          this.#maxBytes
        } bytes; the rest of the output is left out\n`,
      ),
    );
  }

  async #append(bytes: Buffer): Promise<void> {
    await this.#times.mark(this.#size);
    await this.#file.appendFile(bytes);
    this.#size += bytes.length;
  }
}

/** Stores logs on disk, one file per build. */
export class BuildLogs {
  readonly #directory: string;
  readonly #maxBytes: number;
  /** Indexes of the logs that people view, most recently used last. */
  readonly #indexes = new Map<number, LogIndex>();
  /** Times of the logs that agents send. */
  readonly #times = new Map<number, LogTimes>();

  /** @param options.directory - absolute. */
  constructor(options: { directory: string; maxBytes: number }) {
    this.#directory = options.directory;
    this.#maxBytes = options.maxBytes;
  }

  /** Opens the log of a build for appending; secrets are masked. */
  async append(buildId: number, mask = new SecretMask([])): Promise<BuildLog> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const name = this.#fileOf(buildId);
    const file = await open(name, 'a', 0o600);
    const { size } = await file.stat();
    const times = new LogTimes(name);
    return new BuildLog({ file, times, size, mask, maxBytes: this.#maxBytes });
  }

  /**
   * Reads from an offset, half a MiB at most, without splitting characters. An offset
   * beyond the end starts over, as in Jenkins; a log that does not exist yet is empty.
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

  /** Returns the size of a log in bytes. */
  async size(buildId: number): Promise<number> {
    const found = await stat(this.#fileOf(buildId)).catch(() => undefined);
    return found?.size ?? 0;
  }

  /**
   * Writes a part of a log produced elsewhere. A part that would leave a gap is dropped;
   * a part already written is overwritten. Secrets not yet masked by the sender are
   * replaced by the same number of stars, so that offsets do not change.
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
      const { size } = await file.stat();
      const room = this.#maxBytes + NOTE_BYTES - offset;
      if (offset > size || room <= 0) {
        return Math.min(size, offset);
      }
      const part = bytes.subarray(0, room);
      await this.#timesOf(buildId).mark(offset);
      // A secret may have started in the previous part.
      const before = Buffer.alloc(Math.min(mask.longest, offset));
      const from = offset - before.length;
      await file.read(before, 0, before.length, from);
      const veiled = mask.veil(Buffer.concat([before, part]));
      // The end may be the start of a secret: it is requested again, together with what
      // follows.
      const isHeld = veiled.open < part.length;
      const length = veiled.bytes.length - (isHeld ? veiled.open : 0);
      await file.write(veiled.bytes, 0, length, from);
      return from + length;
    } finally {
      await file.close();
    }
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

  /** Returns the times of an agent's log; if they are dropped from memory, a second may be recorded twice. */
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

/** Returns the bytes without an incomplete UTF-8 character at their end. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back];
    if ((byte & 0b1100_0000) === 0b1000_0000) {
      continue;
    }
    return lengthOf(byte) > back
      ? bytes.subarray(0, bytes.length - back)
      : bytes;
  }
  return bytes;
}

/** Returns the length of the UTF-8 character that starts with a byte; 1 if the byte starts none. */
function lengthOf(byte: number): number {
  if (byte >= 0b1111_0000) {
    return byte < 0b1111_1000 ? 4 : 1;
  }
  if (byte >= 0b1110_0000) {
    return 3;
  }
  return byte >= 0b1100_0000 ? 2 : 1;
}
