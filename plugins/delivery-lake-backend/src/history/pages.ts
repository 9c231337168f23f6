import { InputError } from '@backstage/errors';
import { z } from 'zod';
import { ListPosition, PageRequest } from './records';

const schema = z.tuple([z.int(), z.int().min(0), z.int().min(0)]);

/**
 * The last element of a page, and the length of the list, which only the first page has to count.
 */
interface Cursor {
  after: ListPosition;
  total: number;
}

/** Formats a cursor in URL-safe characters. */
export function formatCursor({ after, total }: Cursor): string {
  return Buffer.from(
    JSON.stringify([after.moment, after.rowId, total]),
  ).toString('base64url');
}

/** Parses a cursor. @throws InputError for a text that {@link formatCursor} did not create. */
export function parseCursor(text: string): Cursor {
  try {
    const json: unknown = JSON.parse(
      Buffer.from(text, 'base64url').toString('utf8'),
    );
    const [moment, rowId, total] = schema.parse(json);
    return { after: { moment, rowId }, total };
  } catch {
    throw new InputError(
      'cursor: must be the nextCursor of an earlier response',
    );
  }
}

/** Rows per query of an export. */
const EXPORT_PAGE = 1_000;

/** A list that can be read in pages and counted. */
export interface PagedList<T> {
  read(page: PageRequest): Promise<T[]>;
  count(): Promise<number>;
  positionOf(item: T): ListPosition;
}

/** Reads a page and the cursor of the next one. @throws InputError for an invalid cursor. */
export async function readPage<T>(
  list: PagedList<T>,
  query: { cursor?: string; limit: number },
): Promise<{ items: T[]; total: number; nextCursor: string | null }> {
  const cursor: Cursor | undefined =
    query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const [found, total] = await Promise.all([
    // Reads one more row to find out whether there is a next page.
    list.read({ limit: query.limit + 1, after: cursor?.after }),
    cursor?.total ?? list.count(),
  ]);
  const items = found.slice(0, query.limit);
  const nextCursor =
    found.length > items.length
      ? formatCursor({ after: list.positionOf(items[items.length - 1]), total })
      : null;
  return { items, total, nextCursor };
}

/** Yields every element, reading pages on demand. */
export async function* readAll<T>(
  list: Omit<PagedList<T>, 'count'>,
): AsyncGenerator<T> {
  let after: ListPosition | undefined;
  for (;;) {
    const items = await list.read({ limit: EXPORT_PAGE, after });
    yield* items;
    if (items.length < EXPORT_PAGE) {
      return;
    }
    after = list.positionOf(items[items.length - 1]);
  }
}
