import {
  type Aggregate,
  call,
  COUNT,
  countDistinct,
  type EachSource,
  type EventsSource,
  type Expression,
  field,
  GROUP_OWNERS,
} from '../language/Expression.ts';
import { fault } from '../faults.ts';
import {
  type BreakdownValues,
  selectTop,
  shownValue,
  shownValues,
  topOf,
} from './breakdowns.ts';
import type { Query } from '../schemas.ts';
import { PERSON } from './buckets.ts';
import type { Breakdown } from './readBreakdown.ts';
import type { InsightContext } from '../QueryContext.ts';
import { parseExpressionIn, textOf } from './series.ts';

/** The subject whose events an insight follows: a person, a group, or any other value. */
export interface Subject {
  /** A text that is the same for all events of one subject. */
  readonly key: Expression;
  /** Conditions that exclude events without a subject. */
  readonly where: readonly Expression[];
}

/** Reads the subject of a query; people by default. */
export function readSubject(query: Query, context: InsightContext): Subject {
  const { aggregation_group_type_index: group, funnelsFilter } = query;
  const own = funnelsFilter?.funnelAggregateByHogQL;
  if (own) {
    if (isGiven(group)) {
      throw fault(
        'query.aggregation_group_type_index',
        'cannot be used with funnelAggregateByHogQL',
      );
    }
    return withKey(readKey(own, context));
  }
  return isGiven(group)
    ? withKey({ kind: 'column', name: GROUP_OWNERS[group] })
    : { key: PERSON, where: [] };
}

/** A list that is computed from the events of each subject. */
export interface ListPerSubject {
  subject: Subject;
  /** The events to read; events that do not meet `where` are ignored. */
  events: Omit<EventsSource, 'kind' | 'projectId'>;
  where: readonly Expression[];
  /** The values of each event: fields 1 and up of `list`. */
  columns: readonly Expression[];
  list: Aggregate;
}

/** An item of a list that {@link itemsOf} reads. */
export const ITEM = field(0, 'number');

/**
 * Selects the items of all subjects' lists, one per row, as field 0.
 * @param by - builds one list per value of a subject's events; the value is field 1.
 * @param options.named - adds the subject as the last field.
 */
export function itemsOf(
  { subject, events, where, columns, list }: ListPerSubject,
  { projectId }: Pick<InsightContext, 'projectId'>,
  by?: Expression,
  { named = false } = {},
): EachSource {
  const values = by ? [field(columns.length + 1, 'text')] : [];
  const key = field(0, 'text');
  return {
    kind: 'each',
    column: 0,
    of: {
      kind: 'select',
      from: {
        kind: 'select',
        from: { kind: 'events', projectId, ...events },
        columns: [subject.key, ...columns, ...(by ? [by] : [])],
        where: [...subject.where, ...where],
      },
      columns: [list, ...values, ...(named ? [key] : [])],
      where: [],
      groupBy: [key, ...values],
    },
  };
}

/** Counts how often each number occurs in the subjects' lists. */
export async function countItems(
  lists: ListPerSubject,
  context: InsightContext,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await context.ask({
    kind: 'select',
    from: itemsOf(lists, context),
    columns: [ITEM, COUNT],
    where: [],
    groupBy: [ITEM],
  });
  return new Map(rows.map(([key, count]) => [Number(key), Number(count)]));
}

/**
 * Counts how often each number occurs in the subjects' lists, for each value of a
 * breakdown.
 * @param options.ranked - the items whose number decides which values are shown separately.
 */
export async function countItemsBy(
  lists: ListPerSubject,
  { by, limit, hidesOther }: Breakdown,
  { context, ranked }: { context: InsightContext; ranked: Expression },
): Promise<{
  values: { value: string; counts: ReadonlyMap<number, number> }[];
  hasMore: boolean;
}> {
  const top = await topItems(itemsOf(lists, context, by), {
    context,
    ranked,
    limit,
  });
  const value = field(1, 'text');
  const { rows } = await context.ask({
    kind: 'select',
    // All values that are shown together share one list, so that nobody is counted twice.
    from: itemsOf(lists, context, shownValue(by, top)),
    columns: [ITEM, COUNT, value],
    where: [],
    groupBy: [ITEM, value],
  });
  return {
    values: shownValues(top, { hidesOther }).map(each => ({
      value: each,
      counts: new Map(
        rows
          .filter(row => row[2] === each)
          .map(([key, count]) => [Number(key), Number(count)]),
      ),
    })),
    hasMore: top.hasMore,
  };
}

/**
 * Chooses the values of a breakdown that are shown separately.
 * @param from - the items of {@link itemsOf}, by value.
 */
export async function topItems(
  from: EachSource,
  options: { context: InsightContext; ranked: Expression; limit: number },
): Promise<BreakdownValues> {
  const { context, ranked, limit } = options;
  const { rows } = await context.ask(
    selectTop(from, {
      by: field(1, 'text'),
      value: COUNT,
      where: [ranked],
      limit,
    }),
  );
  return topOf(rows, limit);
}

function withKey(key: Expression): Subject {
  return { key, where: [call('isNotNull', [key], 'boolean')] };
}

function readKey(source: string, context: InsightContext): Expression {
  const path = 'query.funnelsFilter.funnelAggregateByHogQL';
  const key = textOf(parseExpressionIn(source, path, context), path);
  // People are only counted.
  context.assertShown([countDistinct(key)]);
  return key;
}

/**
 * Rejects `aggregation_group_type_index`, including 0, where it would change the result.
 * @param instead - what to use instead.
 */
export function assertOfPeople(
  {
    aggregation_group_type_index: group,
  }: Pick<Query, 'aggregation_group_type_index'>,
  instead: string,
): void {
  if (isGiven(group)) {
    throw fault(
      'query.aggregation_group_type_index',
      `is not supported: use ${instead}`,
    );
  }
}

function isGiven(group: number | null | undefined): group is number {
  return group !== null && group !== undefined;
}
