import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { ReportError } from '../commands.ts';
import { PlaceLostError } from '../Executor.ts';

/** Writes the files of a stream in which each one follows a line with its length. */
export class FileWriter {
  readonly #target: string;
  readonly #names: readonly string[];
  readonly #maxBytes: number;
  #next = 0;
  #line = '';
  #left = 0;
  #total = 0;
  #file: FileHandle | undefined;

  constructor(target: string, names: readonly string[], maxBytes: number) {
    this.#target = target;
    this.#names = names;
    this.#maxBytes = maxBytes;
  }

  get isDone(): boolean {
    return this.#next === this.#names.length && this.#left === 0;
  }

  async write(chunk: Buffer): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left > 0) {
        const part = rest.subarray(0, this.#left);
        rest = rest.subarray(part.length);
        this.#left -= part.length;
        await this.#file!.writeFile(part);
        continue;
      }
      const end = rest.indexOf(0x0a);
      this.#line += rest.subarray(0, end < 0 ? rest.length : end).toString();
      rest = end < 0 ? Buffer.alloc(0) : rest.subarray(end + 1);
      if (this.#line.length > 20) {
        throw new PlaceLostError('its pod sent something other than files');
      }
      if (end >= 0) {
        await this.#begin(this.#line);
        this.#line = '';
      }
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  async #begin(line: string): Promise<void> {
    const name = this.#names[this.#next];
    this.#next += 1;
    await this.close();
    if (line === '-') {
      return;
    }
    if (name === undefined || !/^\d{1,15}$/.test(line)) {
      throw new PlaceLostError('its pod sent something other than files');
    }
    this.#left = Number(line);
    this.#total += this.#left;
    if (this.#total > this.#maxBytes) {
      throw new ReportError(
        `The files are larger than ${this.#maxBytes} bytes in total`,
      );
    }
    const file = path.join(this.#target, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    this.#file = await open(file, 'w', 0o600);
  }
}
