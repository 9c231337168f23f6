import type { FileHandle } from 'node:fs/promises';
import type { SecretMask } from '../secrets/SecretMask.ts';
import { wholeCharacters } from './characters.ts';
import type { LogTimes } from './LogTimes.ts';

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
  /** The start of a character whose other bytes have not come yet. */
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
