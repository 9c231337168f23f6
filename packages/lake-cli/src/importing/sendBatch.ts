import { type Kind, KINDS } from '../arguments.ts';
import { type LakeClient, LakeRequestError } from '../LakeClient.ts';
import { type Line } from '../readLines.ts';

/** Maximum number of items per request to the lake. */
const MAX_ITEMS = 1_000;
/**
 * Maximum size of the items in a request: below the limit of 1 MiB, with room for the enclosing
 * JSON.
 */
const MAX_BYTES = 900 * 1_024;

/** Consecutive lines of a file that are acknowledged together. */
interface Batch {
  lines: Line[];
  /** The number of the last line, and the length of the file up to its end. */
  lastLine: number;
  bytes: number;
}

function sizeOf({ content }: Line): number {
  return Buffer.byteLength(JSON.stringify(content.item)) + 1;
}

/** Returns the line, with an error in place of an item that does not fit into any request. */
function carriable(line: Line, size: number): Line {
  return size <= MAX_BYTES
    ? line
    : {
        ...line,
        content: {
          error: `The item has more than ${MAX_BYTES / 1_024} KiB`,
          item: undefined,
        },
      };
}

function toBatch(lines: Line[]): Batch {
  const { line: lastLine, bytes } = lines[lines.length - 1];
  return { lines, lastLine, bytes };
}

/** Groups lines into batches. The items of one kind in a batch fit into one request. */
export async function* inBatches(
  lines: AsyncIterable<Line>,
): AsyncGenerator<Batch> {
  let pending: Line[] = [];
  let pendingBytes = 0;
  for await (const line of lines) {
    const size = Math.min(sizeOf(line), MAX_BYTES + 1);
    const fits = carriable(line, size);
    const carried = fits === line ? size : 0;
    if (
      pending.length === MAX_ITEMS ||
      (pending.length > 0 && pendingBytes + carried > MAX_BYTES)
    ) {
      yield toBatch(pending);
      pending = [];
      pendingBytes = 0;
    }
    pending.push(fits);
    pendingBytes += carried;
  }
  if (pending.length > 0) {
    yield toBatch(pending);
  }
}

/** The number of items by result. */
export interface Counts {
  accepted: number;
  duplicates: number;
  stale: number;
  rejected: number;
}

/** A line that the lake rejected. */
export interface Rejection {
  line: number;
  error: string;
  field?: string;
  item: unknown;
}

/** The result of a batch. */
interface BatchOutcome {
  counts: Counts;
  rejections: Rejection[];
}

interface ItemResult {
  index: number;
  outcome: string;
  error?: string;
  field?: string;
}

interface Answer extends Counts {
  results: ItemResult[];
}

type Readable = Line & { content: { kind: Kind; item: object } };

function isReadable(line: Line): line is Readable {
  return 'kind' in line.content;
}

function isAnswer(answer: unknown): answer is Answer {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'results' in answer &&
    Array.isArray(answer.results) &&
    ['accepted', 'duplicates', 'stale', 'rejected'].every(
      count => typeof Object(answer)[count] === 'number',
    )
  );
}

function rejectionsOf(lines: Line[], { results }: Answer): Rejection[] {
  return results
    .filter(({ outcome }) => outcome === 'rejected')
    .map(({ index, error = 'rejected', field }) => ({
      line: lines[index].line,
      error,
      field,
      item: lines[index].content.item,
    }));
}

/**
 * Sends a batch, with one request for each kind in it.
 *
 * @throws LakeRequestError; items sent before the error are sent again by a later run, and ignored
 *   as duplicates.
 */
export async function sendBatch(
  client: LakeClient,
  { lines }: Batch,
): Promise<BatchOutcome> {
  const readable = lines.filter(isReadable);
  const rejections: Rejection[] = lines.flatMap(({ line, content }) =>
    'error' in content ? [{ line, ...content }] : [],
  );
  const counts: Counts = {
    accepted: 0,
    duplicates: 0,
    stale: 0,
    rejected: rejections.length,
  };
  for (const kind of KINDS) {
    const own = readable.filter(({ content }) => content.kind === kind);
    if (own.length > 0) {
      const answer = await client.post(
        `/${kind}s`,
        own.map(({ content }) => content.item),
      );
      if (!isAnswer(answer)) {
        throw new LakeRequestError(
          'The portal did not return a result for each item',
        );
      }
      counts.accepted += answer.accepted;
      counts.duplicates += answer.duplicates;
      counts.stale += answer.stale;
      counts.rejected += answer.rejected;
      rejections.push(...rejectionsOf(own, answer));
    }
  }
  rejections.sort((a, b) => a.line - b.line);
  return { counts, rejections };
}
