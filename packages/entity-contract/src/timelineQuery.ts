import { ITEM_KINDS, type ItemKind, type TimelineItem } from './contract.ts';
import { labelOf } from './figure.ts';
import { parseInstant } from './parseInstant.ts';

/** Thrown for an invalid timeline query. */
export class EntityQueryError extends Error {
  override readonly name = 'EntityQueryError';
  /** The invalid parameter. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(`${field} ${reason}`);
    this.field = field;
  }
}

/** A parsed timeline query. Times are milliseconds since the Unix epoch. */
export interface TimelineQuery {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly kinds: ReadonlySet<ItemKind>;
  readonly limit: number;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const DEFAULT_LIMIT = 50;
const MAX_ITEMS = 200;

/**
 * Parses the query of a timeline. Defaults to the 30 days up to now, all kinds and at most 50
 * items.
 *
 * @param now - milliseconds since the Unix epoch; events of this millisecond are included.
 * @throws EntityQueryError naming the parameter.
 */
export function readTimelineQuery(
  query: Readonly<Record<string, unknown>>,
  now: number,
): TimelineQuery {
  const moment = (field: 'from' | 'to', otherwise: number) => {
    const text = textOf(query, field);
    const instant = text === undefined ? otherwise : parseInstant(text);
    if (instant === undefined) {
      throw new EntityQueryError(
        field,
        'must be an ISO 8601 date or timestamp',
      );
    }
    return instant;
  };
  const to = moment('to', now + 1);
  const from = moment('from', to - DEFAULT_DAYS * DAY_MS);
  if (from > to) {
    throw new EntityQueryError('from', 'must not be after to');
  }
  if (to - from > MAX_DAYS * DAY_MS) {
    throw new EntityQueryError('from', `must be within ${MAX_DAYS} days of to`);
  }
  return { from, to, kinds: kindsOf(query), limit: limitOf(query) };
}

/**
 * Returns the items of the requested kinds, newest first, without duplicate ids, up to the limit.
 * Truncates labels that readers would reject: labels come from anywhere, such as authors of
 * commits, and a single long one would hide all items of a part.
 */
export function newestFirst(
  items: readonly TimelineItem[],
  { kinds, limit }: Pick<TimelineQuery, 'kinds' | 'limit'>,
): { items: TimelineItem[]; truncated: boolean } {
  const wanted = items.filter(({ kind }) => kinds.has(kind));
  const unique = new Map(wanted.map(item => [item.id, item]));
  const sorted = [...unique.values()].sort(
    (one, other) =>
      Date.parse(other.at) - Date.parse(one.at) || (one.id < other.id ? 1 : -1),
  );
  return {
    items: sorted.slice(0, limit).map(labelled),
    truncated: sorted.length > limit,
  };
}

function labelled({ by, ...item }: TimelineItem): TimelineItem {
  return {
    ...item,
    title: labelOf(item.title),
    ...(by !== undefined && { by: labelOf(by) }),
    neighbours: item.neighbours.map(neighbour => ({
      ...neighbour,
      title: labelOf(neighbour.title),
    })),
  };
}

function kindsOf(query: Readonly<Record<string, unknown>>) {
  const names = (textOf(query, 'kind') ?? '').split(',').filter(Boolean);
  const unknown = names.some(name => !ITEM_KINDS.some(kind => kind === name));
  if (unknown) {
    throw new EntityQueryError(
      'kind',
      `must be one or more of ${ITEM_KINDS.join(', ')}, separated by commas`,
    );
  }
  return new Set(
    ITEM_KINDS.filter(kind => names.length === 0 || names.includes(kind)),
  );
}

function limitOf(query: Readonly<Record<string, unknown>>): number {
  const text = textOf(query, 'limit') ?? String(DEFAULT_LIMIT);
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_ITEMS) {
    throw new EntityQueryError(
      'limit',
      `must be a whole number from 1 to ${MAX_ITEMS}`,
    );
  }
  return limit;
}

function textOf(
  query: Readonly<Record<string, unknown>>,
  field: string,
): string | undefined {
  const value = query[field];
  if (value === undefined) {
    return undefined;
  }
  if (typeof value !== 'string') {
    throw new EntityQueryError(field, 'must be given once');
  }
  return value;
}
