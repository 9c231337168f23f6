import type { FileHandle } from 'node:fs/promises';
import type { SecretMask } from '../secrets/SecretMask.ts';

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

  async close(): Promise<void> {
    await this.#last;
    await this.#write(this.#mask.end());
    await this.#file.close();
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
