import { InputError } from '@backstage/errors';
import { z } from 'zod';
import { ListPosition, PageRequest } from './records';

const schema = z.tuple([z.int(), z.int().min(0), z.int().min(0)]);

/** The element after which a list goes on, and its length, so that only the first page counts it. */
interface Cursor {
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
    throw new InputError(
      'cursor: must be the nextCursor of an earlier response',
    );
  }
}

/** Rows that an export reads at a time. */
const EXPORT_PAGE = 1_000;

/** A list that can be read in pages and counted. */
export interface PagedList<T> {
  read(page: PageRequest): Promise<T[]>;
  count(): Promise<number>;
  positionOf(item: T): ListPosition;
}

/** One page, and where the next one begins. @throws InputError for a cursor that is none. */
export async function readPage<T>(
  list: PagedList<T>,
  query: { cursor?: string; limit: number },
): Promise<{ items: T[]; total: number; nextCursor: string | null }> {
  const cursor: Cursor | undefined =
    query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const [found, total] = await Promise.all([
    // One more tells whether there is a next page.
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

/** Every element, read page by page as it is taken. */
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
