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

/** How far an import came. */
interface ImportState {
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

/** Remembers beside a file how far it has been sent where, until all of it is. */
class Checkpoint {
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

/** What an import needs to know. */
interface ImportOptions {
  file: string;
  /** The kind of items that name none. */
  kind: Kind;
  client: LakeClient;
  /** The URL of the lake; an import into another one starts over. */
  url: string;
  progress: Progress;
}

/** What an import came to. */
interface ImportSummary {
  counts: Counts;
  /** The file of rejected lines; undefined when there are none. */
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
    throw new UsageError(`There is no file ${file}`);
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
 * Sends a file to the lake batch by batch, going on where an earlier run stopped.
 * Sending something twice is harmless: the lake knows it.
 *
 * @throws UsageError for a file that is none, LakeRequestError when the lake does
 * not take it.
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
