import { InputError } from '@backstage/errors';
import { z } from 'zod';
import { ListPosition } from './HistoryStore';

const schema = z.tuple([z.int(), z.int().min(0), z.int().min(0)]);

/** Where a list goes on, and how many it had in all, so that only its first page counts them. */
export interface Cursor {
  after: ListPosition;
  total: number;
}

/** Writes a cursor down in characters that a URL takes as they are. */
export function formatCursor({ after, total }: Cursor): string {
  return Buffer.from(
    JSON.stringify([after.moment, after.rowId, total]),
  ).toString('base64url');
}

/** @throws InputError for a text that {@link formatCursor} did not write. */
export function parseCursor(text: string): Cursor {
  try {
    const json: unknown = JSON.parse(
      Buffer.from(text, 'base64url').toString('utf8'),
    );
    const [moment, rowId, total] = schema.parse(json);
    return { after: { moment, rowId }, total };
  } catch {
    throw new InputError('cursor: must be a nextCursor of an answer before');
  }
}
