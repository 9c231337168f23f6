import { createHash } from 'node:crypto';
import {
  appendFile,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { type Kind, UsageError } from '../arguments.ts';
import type { LakeClient } from '../LakeClient.ts';
import type { Progress } from '../Progress.ts';
import { type Line, readLines } from '../readLines.ts';
import {
  type Counts,
  inBatches,
  type Rejection,
  sendBatch,
} from './sendBatch.ts';

const FINGERPRINT_BYTES = 64 * 1_024;

/** The progress of an import. */
interface ImportState {
  /** Everything up to this line is acknowledged. */
  line: number;
  counts: Counts;
  /** Length of the file of rejected lines at that point. */
  rejectedBytes: number;
}

const BEGINNING: ImportState = {
  line: 0,
  counts: { accepted: 0, duplicates: 0, stale: 0, rejected: 0 },
  rejectedBytes: 0,
};

/** Returns a text that identifies a file and its current content, without reading all of it. */
async function identify(file: string): Promise<string> {
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

/**
 * Records, in a file next to the import, how much has been sent to which lake, until all of it has
 * been.
 */
class Checkpoint {
  readonly #file: string;
  readonly #identity: string;

  /** @param options.identity - identifies the import; one with another identity starts over. */
  constructor(options: { file: string; identity: string }) {
    this.#file = options.file;
    this.#identity = options.identity;
  }

  /**
   * Reads the state to resume from; starts at the beginning if nothing is recorded for this import.
   */
  async load(): Promise<ImportState> {
    try {
      const saved = JSON.parse(await readFile(this.#file, 'utf8'));
      return saved.identity === this.#identity ? saved.state : BEGINNING;
    } catch {
      return BEGINNING;
    }
  }

  /** Saves the state atomically: a crash leaves either the old state or the new one. */
  async save(state: ImportState): Promise<void> {
    const next = `${this.#file}.next`;
    await writeFile(next, JSON.stringify({ identity: this.#identity, state }));
    await rename(next, this.#file);
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}

/** Collects the lines that the lake rejects in a file next to the import. */
export class RejectedLines {
  readonly file: string;
  #bytes = 0;

  private constructor(file: string) {
    this.file = file;
  }

  /**
   * @param bytes - length of the part of an earlier run to keep; later lines are reported again.
   */
  static async open(file: string, bytes: number): Promise<RejectedLines> {
    const lines = new RejectedLines(file);
    if (bytes > 0) {
      lines.#bytes = await keep(file, bytes);
    } else {
      await rm(file, { force: true });
    }
    return lines;
  }

  /** Returns the length of the file. */
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

/**
 * Truncates a file.
 *
 * @returns its length afterwards; less than `bytes` if someone else shortened or deleted the file.
 */
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

/** Options of an import. */
interface ImportOptions {
  file: string;
  /** The kind of items that do not specify one. */
  kind: Kind;
  client: LakeClient;
  /** The URL of the lake; an import into another lake starts over. */
  url: string;
  progress: Progress;
}

/** The result of an import. */
interface ImportSummary {
  counts: Counts;
  /** The file of rejected lines; undefined if there are none. */
  rejectedFile?: string;
}

async function* after(
  lines: AsyncIterable<Line>,
  done: number,
): AsyncGenerator<Line> {
  for await (const line of lines) {
    if (line.line > done) {
      yield line;
    }
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) {
    throw new UsageError(`File ${file} not found`);
  }
  return found.size;
}

function add(counts: Counts, more: Counts): Counts {
  return {
    accepted: counts.accepted + more.accepted,
    duplicates: counts.duplicates + more.duplicates,
    stale: counts.stale + more.stale,
    rejected: counts.rejected + more.rejected,
  };
}

/**
 * Sends a file to the lake in batches, and resumes where an earlier run stopped. Sending items
 * again is harmless, because the lake ignores duplicates.
 *
 * @throws UsageError if the file cannot be read in its format; LakeRequestError if the lake does
 * not accept it.
 */
export async function importFile(
  options: ImportOptions,
): Promise<ImportSummary> {
  const { file, kind, client, url, progress } = options;
  const size = await sizeOf(file);
  const lines = readLines(file, kind);
  const checkpoint = new Checkpoint({
    file: `${file}.lake-progress`,
    identity: `${url} ${kind} ${await identify(file)}`,
  });
  let state: ImportState = await checkpoint.load();
  if (state.line > 0) {
    progress.say(`Resuming after line ${state.line}`);
  }
  const rejected = await RejectedLines.open(
    `${file}.rejected.ndjson`,
    state.rejectedBytes,
  );
  for await (const batch of inBatches(after(lines, state.line))) {
    const { counts, rejections } = await sendBatch(client, batch);
    await rejected.add(rejections);
    state = {
      line: batch.lastLine,
      counts: add(state.counts, counts),
      rejectedBytes: rejected.bytes,
    };
    await checkpoint.save(state);
    progress.update(
      Math.min(batch.bytes, size),
      size,
      `line ${batch.lastLine}, ${state.counts.rejected} rejected`,
    );
  }
  await checkpoint.remove();
  return {
    counts: state.counts,
    rejectedFile: state.counts.rejected > 0 ? rejected.file : undefined,
  };
}
