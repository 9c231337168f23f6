import { appendFile, open, rm } from 'node:fs/promises';
import type { Rejection } from './sendBatch.ts';

/** Collects the lines that the lake does not take in a file beside the import. */
export class RejectedLines {
  readonly file: string;
  #bytes = 0;

  private constructor(file: string) {
    this.file = file;
  }

  /** @param bytes - how much of an earlier run to keep; what came after it is said again. */
  static async open(file: string, bytes: number): Promise<RejectedLines> {
    const lines = new RejectedLines(file);
    if (bytes > 0) {
      lines.#bytes = await keep(file, bytes);
    } else {
      await rm(file, { force: true });
    }
    return lines;
  }

  /** Length of the file. */
  get bytes(): number {
    return this.#bytes;
  }

  async add(rejections: Rejection[]): Promise<void> {
    if (rejections.length > 0) {
      const text = rejections
        .map(rejection => `${JSON.stringify(rejection)}\n`)
        .join('');
      await appendFile(this.file, text);
      this.#bytes += Buffer.byteLength(text);
    }
  }
}

/** Cuts a file to a length. @returns its length then: less, where somebody took of it, or took it away. */
async function keep(file: string, bytes: number): Promise<number> {
  const handle = await open(file, 'a');
  try {
    const { size } = await handle.stat();
    const kept = Math.min(size, bytes);
    await handle.truncate(kept);
    return kept;
  } finally {
    await handle.close();
  }
}
