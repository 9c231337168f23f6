import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Counts } from './sendBatch.ts';

const FINGERPRINT_BYTES = 64 * 1_024;

/** How far an import came. */
export interface ImportState {
  /** Everything up to this line is acknowledged. */
  line: number;
  counts: Counts;
  /** Length of the file of rejected lines then. */
  rejectedBytes: number;
}

const BEGINNING: ImportState = {
  line: 0,
  counts: { accepted: 0, duplicates: 0, stale: 0, rejected: 0 },
  rejectedBytes: 0,
};

/** Tells one file, and one content of it, from another without reading it all. */
export async function identify(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size, mtimeMs } = await handle.stat();
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(FINGERPRINT_BYTES),
      position: 0,
    });
    const digest = createHash('sha256')
      .update(buffer.subarray(0, bytesRead))
      .digest('hex');
    return `${size}-${mtimeMs}-${digest}`;
  } finally {
    await handle.close();
  }
}

/** Remembers beside a file how far it has been sent where, until all of it is. */
export class Checkpoint {
  readonly #file: string;
  readonly #identity: string;

  /** @param options.identity - of the import: one of another identity starts over. */
  constructor(options: { file: string; identity: string }) {
    this.#file = options.file;
    this.#identity = options.identity;
  }

  /** Reads the state to resume from: the beginning, when nothing of this import is remembered. */
  async load(): Promise<ImportState> {
    try {
      const saved = JSON.parse(await readFile(this.#file, 'utf8'));
      return saved.identity === this.#identity ? saved.state : BEGINNING;
    } catch {
      return BEGINNING;
    }
  }

  /** Remembers, in one step: a crash leaves the state before or the one after. */
  async save(state: ImportState): Promise<void> {
    const next = `${this.#file}.next`;
    await writeFile(next, JSON.stringify({ identity: this.#identity, state }));
    await rename(next, this.#file);
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}
