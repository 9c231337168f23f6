import { stat } from 'node:fs/promises';
import type { LakeClient } from '../client/LakeClient.ts';
import type { Progress } from '../progress/Progress.ts';
import type { Kind, Line } from '../reading/Line.ts';
import { readFile } from '../reading/readFile.ts';
import { UsageError } from '../UsageError.ts';
import { inBatches } from './batches.ts';
import { Checkpoint, identify, type ImportState } from './Checkpoint.ts';
import { RejectedLines } from './RejectedLines.ts';
import { sendBatch, type Counts } from './sendBatch.ts';

/** What an import needs to know. */
export interface ImportOptions {
  file: string;
  /** The kind of items that name none. */
  kind: Kind;
  client: LakeClient;
  /** The URL of the lake; an import into another one starts over. */
  url: string;
  progress: Progress;
}

/** What an import came to. */
export interface ImportSummary {
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
  const lines = readFile(file, kind);
  const checkpoint = new Checkpoint({
    file: `${file}.lake-progress`,
    identity: `${url} ${kind} ${await identify(file)}`,
  });
  let state: ImportState = await checkpoint.load();
  if (state.line > 0) {
    progress.say(`Going on after line ${state.line}`);
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
