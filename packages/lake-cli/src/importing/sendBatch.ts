import type { LakeClient } from '../client/LakeClient.ts';
import { LakeRequestError } from '../client/LakeRequestError.ts';
import { KINDS, type Kind, type Line } from '../reading/Line.ts';
import type { Batch } from './batches.ts';

/** How many items came to which end. */
export interface Counts {
  accepted: number;
  duplicates: number;
  stale: number;
  rejected: number;
}

/** A line that the lake does not take. */
export interface Rejection {
  line: number;
  error: string;
  field?: string;
  item: unknown;
}

/** What became of a batch. */
export interface BatchOutcome {
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
 * Sends a batch, one request for each kind in it.
 *
 * @throws LakeRequestError; what was sent before that is sent again by a later
 * run, and known there.
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
        throw new LakeRequestError('The portal gave no answer for each item');
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
