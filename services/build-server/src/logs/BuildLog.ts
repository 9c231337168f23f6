import { appendFile, type FileHandle, readFile, rm } from 'node:fs/promises';
import type { SecretMask } from '../secrets/SecretMask.ts';

/** A longer line is split. */
const MAX_LINE_BYTES = 65_536;
const NEWLINE = 10;

/** The output of one program in a shared log: whole lines, each with a prefix. */
class LogLines {
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
    const isLong = text.length - found > MAX_LINE_BYTES;
    const whole = isLong ? wholeCharacters(text).length : found;
    const end = isEnd ? text.length : whole;
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
  readonly #onWritten: () => void;
  #size: number;
  #isFull = false;
  /** The start of a character whose other bytes have not arrived yet. */
  #rest = Buffer.alloc(0);
  #last: Promise<void> = Promise.resolve();

  constructor(options: {
    file: FileHandle;
    times: LogTimes;
    size: number;
    mask: SecretMask;
    maxBytes: number;
    onWritten(): void;
  }) {
    this.#onWritten = options.onWritten;
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
      await this.#write(this.#mask.end(), true);
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
      await this.#write(this.#mask.end(), true);
    } finally {
      await this.#file.close();
    }
  }

  /** Writes whole characters, so that a full log does not end inside of one. */
  async #write(bytes: Buffer, isEnd = false): Promise<void> {
    if (this.#isFull) {
      return;
    }
    const text = Buffer.concat([this.#rest, bytes]);
    const part = isEnd ? text : wholeCharacters(text);
    this.#rest = text.subarray(part.length);
    const room = Math.max(0, this.#maxBytes - this.#size);
    if (part.length <= room) {
      await this.#append(part);
      return;
    }
    this.#isFull = true;
    await this.#append(wholeCharacters(part.subarray(0, room)));
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
    this.#onWritten();
  }
}

const SECOND_MS = 1_000;

/** A recorded time: it applies from the offset on; milliseconds since the Unix epoch. */
type Mark = [offset: number, at: number];

/**
 * Records when each part of a log was written, to the second; stored next to the log,
 * which contains only the text.
 */
export class LogTimes {
  readonly #file: string;
  #last = 0;

  /** @param log - the file of the log. */
  constructor(log: string) {
    this.#file = `${log}.times`;
  }

  /** Records that the text from an offset on is written now. */
  async mark(offset: number, now: number = Date.now()): Promise<void> {
    const second = Math.floor(now / SECOND_MS);
    if (second > this.#last) {
      this.#last = second;
      await appendFile(this.#file, `${offset} ${now}\n`, { mode: 0o600 });
    }
  }

  /**
   * Reads the recorded times.
   *
   * @returns a function that returns the latest time recorded at or before an offset, in
   * milliseconds since the Unix epoch; null if there is none.
   */
  async read(): Promise<(offset: number) => number | null> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const marks = text
      .split('\n')
      .map(line => line.split(' ').map(Number) as Mark)
      .filter(([offset, at]) => Number.isSafeInteger(offset) && at > 0);
    return offset => timeAt(marks, offset);
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}

function timeAt(marks: readonly Mark[], offset: number): number | null {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle][0] <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low === 0 ? null : marks[low - 1][1];
}

/** Returns the bytes without an incomplete UTF-8 character at their end. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back];
    if (isContinuation(byte)) {
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

/** Maximum number of bytes after the first one of a UTF-8 character. */
const CONTINUATIONS = 3;

/**
 * Cuts a part of a log at a number of bytes, without splitting a UTF-8 character: one that began in
 * an earlier part is completed, so that the result may be up to three bytes longer.
 */
export function cutAt(bytes: Buffer, length: number): Buffer {
  let end = length;
  while (end < length + CONTINUATIONS && isContinuation(bytes[end])) {
    end += 1;
  }
  return wholeCharacters(bytes.subarray(0, end));
}

/** Checks whether a byte continues a UTF-8 character; false past the end of the bytes. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
