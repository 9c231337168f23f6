import { fault } from '../faults.ts';
import {
  COUNT,
  equals,
  type Expression,
  field,
} from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import { NONE, shownValue } from './breakdowns.ts';
import { hasStatus, readLifecycle } from './lifecycle.ts';
import { MOVE, readPaths } from './paths.ts';
import { IS_START, readRetention, retentionItem } from './retention.ts';
import {
  bucketAt,
  type SelectActors,
  type SelectedNumber,
} from './selectedNumber.ts';
import { readValue } from './selectedValue.ts';
import {
  assertOfPeople,
  ITEM,
  itemsOf,
  type ListPerSubject,
  topItems,
} from './subject.ts';

/** Reads the people in a cell of a RetentionQuery. */
export async function readRetentionActors(
  { query, source }: SelectedNumber,
  context: InsightContext,
): Promise<SelectActors> {
  const { interval: row, returnInterval: later = 0 } = source;
  assertOfPeople(query, 'a retention of people');
  const { lists, buckets, breakdown } = readRetention(query, context);
  const rows = buckets.starts.length;
  if (row === undefined || row >= rows) {
    throw fault(
      'query.source.interval',
      `must be a row of the result, 0 to ${rows - 1}`,
      'maximum',
    );
  }
  if (row + later >= rows) {
    throw fault(
      'query.source.returnInterval',
      `must be a value of the row, 0 to ${rows - 1 - row}`,
      'maximum',
    );
  }
  const selected = await readValue(field(1, 'text'), source.breakdown, {
    breakdown,
    path: 'query.source.breakdown',
    none: NONE,
    top: ({ by, limit }) =>
      topItems(itemsOf(lists, context, by), {
        context,
        ranked: IS_START,
        limit,
      }),
    isJoined: true,
  });
  const { others } = selected;
  const by =
    others && breakdown ? shownValue(breakdown.by, others) : breakdown?.by;
  const item = retentionItem(row, later);
  return selectWith(lists, context, {
    by,
    where: [equals(ITEM, item), ...selected.where],
  });
}

/** Reads the people in a bar of a LifecycleQuery, i.e. with a status in an interval. */
export async function readLifecycleActors(
  { query, source }: SelectedNumber,
  context: InsightContext,
): Promise<SelectActors> {
  assertOfPeople(query, 'a lifecycle of people');
  const { lists, buckets } = await readLifecycle(query, context);
  const { day, status } = source;
  const bucket = day === undefined ? undefined : bucketAt(buckets, day);
  return selectWith(lists, context, { where: hasStatus({ bucket, status }) });
}

/** A place in a path as results name it: the number of its step, and the page or event. */
const PLACE = /^(\d{1,2})_(.*)$/s;

/** Reads the people who moved from one place of a PathsQuery to the next, and how often. */
export async function readPathActors(
  { query }: SelectedNumber,
  context: InsightContext,
): Promise<SelectActors> {
  assertOfPeople(query, 'paths of people');
  const lists = await readPaths(query, context);
  const { pathStartKey: start, pathEndKey: end } = query.pathsFilter ?? {};
  const path = 'query.pathsFilter';
  const where = [
    ...(start ? isAt(MOVE.from, readPlace(start, `${path}.pathStartKey`)) : []),
    ...(end ? isAt(MOVE.to, readPlace(end, `${path}.pathEndKey`), 1) : []),
  ];
  return selectWith(lists, context, { where, counts: true });
}

interface Place {
  /** Counted from 1. */
  readonly step: number;
  readonly item: string;
}

function readPlace(text: string, named: string): Place {
  const [, step, item] = PLACE.exec(text) ?? [];
  if (item === undefined) {
    throw fault(
      named,
      'must be a source or target of the result, such as 1_/pricing',
      'pattern',
    );
  }
  return { step: Number(step), item };
}

/** @param after - the steps between the source of a move and the place. */
function isAt(of: Expression, { step, item }: Place, after = 0): Expression[] {
  return [equals(MOVE.step, step - after), equals(of, item)];
}

/**
 * Returns a function that selects the people whose lists contain items that meet
 * conditions.
 * @param options.by - builds one list per value, as in {@link itemsOf}.
 * @param options.counts - adds the number of these items.
 */
function selectWith(
  lists: ListPerSubject,
  context: InsightContext,
  options: {
    by?: Expression;
    where: readonly Expression[];
    counts?: boolean;
  },
): SelectActors {
  const { by, where, counts = false } = options;
  const person = field(by ? 2 : 1, 'text');
  return conditions => ({
    kind: 'select',
    from: itemsOf(
      { ...lists, where: [...lists.where, ...conditions] },
      context,
      by,
      { named: true },
    ),
    columns: [person, ...(counts ? [COUNT] : [])],
    where,
    groupBy: [person],
  });
}
