import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { SecretMask } from '../secrets/SecretMask.ts';

/** Bytes of one answer. */
const CHUNK_BYTES = 512 * 1024;

/** A part of a log. Offsets count bytes. */
export interface LogChunk {
  text: string;
  /** The byte at which the next part begins. */
  end: number;
  /** True where more of the log is there already. */
  hasMore: boolean;
}

/** A line that is longer is broken. */
const MAX_LINE_BYTES = 65_536;
const NEWLINE = 10;

/** The output of one program in a log that others write as well: whole lines, each with a prefix. */
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

  /** Writes what waits for the end of its line. */
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

/** The log of a running build: parts are written in the order in which they come. */
export class BuildLog {
  readonly #file: FileHandle;
  readonly #mask: SecretMask;
  readonly #maxBytes: number;
  #size: number;
  #isFull = false;
  #last: Promise<void> = Promise.resolve();

  constructor(options: {
    file: FileHandle;
    size: number;
    mask: SecretMask;
    maxBytes: number;
  }) {
    this.#file = options.file;
    this.#mask = options.mask;
    this.#size = options.size;
    this.#maxBytes = options.maxBytes;
  }

  /** Resolves when the file has it; what is over the bound is left out. */
  write(part: Buffer | string): Promise<void> {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    this.#last = this.#last.then(() => this.#write(this.#mask.next(bytes)));
    return this.#last;
  }

  /** Writes a line of the server's own, which the bound does not keep out, and ends what came before. */
  note(line: string): Promise<void> {
    this.#last = this.#last.then(async () => {
      await this.#write(this.#mask.end());
      await this.#append(Buffer.from(`${this.#mask.text(line)}\n`));
    });
    return this.#last;
  }

  /** Begins the output of one of several programs that run beside each other. */
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

  /** Writes what waits and closes the file, also where writing fails. */
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
    await this.#file.appendFile(bytes);
    this.#size += bytes.length;
  }
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

/** The bytes without a character of UTF-8 that is cut off at their end. */
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

/** The bytes of the UTF-8 character that a byte begins; 1 where it begins none. */
function lengthOf(byte: number): number {
  if (byte >= 0b1111_0000) {
    return byte < 0b1111_1000 ? 4 : 1;
  }
  if (byte >= 0b1110_0000) {
    return 3;
  }
  return byte >= 0b1100_0000 ? 2 : 1;
}
