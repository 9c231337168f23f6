import { fault } from '../faults.ts';
import {
  type Aggregate,
  call,
  type Expression,
  field,
  type Select,
  valueOf,
} from '../language/Expression.ts';
import type { Fold } from '../language/functionNames.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { Query } from '../schemas.ts';
import {
  type BreakdownValues,
  hasValue,
  OTHER_OF_FUNNELS,
  selectTop,
  shownValue,
  topOf,
} from './breakdowns.ts';
import {
  type Buckets,
  bucketsBetween,
  readRange,
  TIMESTAMP,
  wholeBetween,
} from './buckets.ts';
import { exclusionMarks, readExclusions } from './funnelExclusions.ts';
import type { Breakdown } from './readBreakdown.ts';
import {
  eventsOf,
  isOf,
  readSeries,
  seriesOf,
  sharedFilters,
} from './series.ts';
import { readSubject } from './subject.ts';

const UNIT_MS = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
} as const;

type FunnelFold = Fold & { kind: 'funnel' };

/** A parsed funnel. */
export interface Funnel {
  readonly fold: FunnelFold;
  /** Selects one row per event that matches steps or exclusions: person, time, and these as bits. */
  readonly events: Select;
  readonly attribution: 'first_touch' | 'last_touch' | 'all_events';
  readonly buckets: Buckets;
}

/**
 * Reads the steps of a query, their order and window.
 * @param by - the breakdown, if any.
 */
export async function readFunnel(
  query: Query,
  context: InsightContext,
  by?: Expression,
): Promise<Funnel> {
  const { funnelsFilter = {}, interval = 'day' } = query;
  const {
    funnelOrderType: order = 'ordered',
    funnelWindowInterval: count = 14,
    funnelWindowIntervalUnit: unit = 'day',
    breakdownAttributionType: attribution = 'first_touch',
  } = funnelsFilter;
  if (attribution === 'step') {
    throw fault(
      'query.funnelsFilter.breakdownAttributionType',
      'cannot be step: use first_touch, last_touch or all_events',
    );
  }
  const series = seriesOf(query);
  if (series.length < 2) {
    throw fault('query.series', 'needs two steps at least', 'minItems');
  }
  const shared = sharedFilters(query, context);
  const subject = readSubject(query, context);
  const steps = series.map((each, index) =>
    readSeries(each, `query.series.${index}`, context),
  );
  const exclusions = readExclusions(query, context);
  const marks = [
    ...steps.map((step, index) =>
      call('if', [isOf(step), valueOf(2 ** index), valueOf(0)], 'number'),
    ),
    ...exclusionMarks(exclusions, steps.length),
  ].reduce<Expression>(
    (sum, mark) => call('plus', [sum, mark], 'number'),
    valueOf(0),
  );
  const read = [...steps, ...exclusions];
  const events = order === 'strict' ? undefined : eventsOf(read);
  // If no step has filters, the names select the events.
  const isNamed =
    order === 'strict' ||
    (events !== undefined && read.every(({ where }) => where.length === 0));
  const { from, to } = await readRange(query, context);
  const { calendar } = context;
  const isOverTime = funnelsFilter.funnelVizType === 'trends';
  const buckets = (isOverTime ? bucketsBetween : wholeBetween)(from, to, {
    unit: interval,
    calendar,
  });
  return {
    fold: {
      kind: 'funnel',
      order,
      steps: steps.length,
      windowMs: count * UNIT_MS[unit],
      ...(exclusions.length > 0 && { excludes: true }),
    },
    attribution,
    buckets,
    events: {
      kind: 'select',
      from: {
        kind: 'events',
        projectId: context.projectId,
        ...(events && { events }),
        after: from - 1,
        before: buckets.end,
      },
      columns: [subject.key, TIMESTAMP, marks, ...(by ? [by] : [])],
      // In strict order, an event that matches no step ends the attempt.
      where: [
        ...subject.where,
        ...shared,
        ...(isNamed ? [] : [call('or', read.map(isOf), 'boolean')]),
      ],
    },
  };
}

const time = field(1, 'time');
const steps = field(2, 'number');
const own = field(3, 'text');

/**
 * Selects one row per person, or per person and value: the times of the steps they reached, and the
 * value.
 * @param options.named - adds the person as the last field.
 */
export function people(
  { fold, events, attribution }: Funnel,
  by?: Expression,
  { named = false } = {},
): Select {
  const times: Aggregate = {
    kind: 'aggregate',
    function: fold,
    args: [time, steps],
    of: 'numbers',
  };
  // Ignore the bits of exclusions, which are not steps.
  const reachedSteps = fold.excludes
    ? call('modulo', [steps, valueOf(2 ** fold.steps)], 'number')
    : steps;
  const isStep = call('greater', [reachedSteps, valueOf(0)], 'boolean');
  const touch: Aggregate = {
    kind: 'aggregate',
    function: attribution === 'last_touch' ? 'last' : 'first',
    args: [own, time],
    when: isStep,
    of: 'text',
  };
  const person = field(0, 'text');
  const isApart = by !== undefined && attribution === 'all_events';
  return {
    kind: 'select',
    from: events,
    columns: [
      times,
      ...(by ? [isApart ? own : touch] : []),
      ...(named ? [person] : []),
    ],
    where: isApart ? [hasValue(own)] : [],
    groupBy: [person, ...(isApart ? [own] : [])],
  };
}

/**
 * Returns a funnel in which all values that are shown together are one value: otherwise a
 * person would be counted once for each of these values.
 */
export function joinOthers(
  funnel: Funnel,
  { by }: Pick<Breakdown, 'by'>,
  top: BreakdownValues,
): Funnel {
  const { events, attribution } = funnel;
  if (attribution !== 'all_events' || !top.hasMore) {
    return funnel;
  }
  const shown = shownValue(by, top, OTHER_OF_FUNNELS);
  return {
    ...funnel,
    events: {
      ...events,
      columns: [...events.columns.slice(0, -1), shown],
      where: [...events.where, hasValue(by)],
    },
  };
}

/** The times of the steps that a person reached, as a field of {@link people}. */
export const list = field(0, 'numbers');

/** Returns the condition that a person reached a step, counted from 1. */
export function reachedRow(step: number): Expression {
  return call(
    'greaterOrEquals',
    [call('items', [list], 'number'), valueOf(step)],
    'boolean',
  );
}

/**
 * Chooses the values of a breakdown that are shown separately.
 * @param persons - the rows of {@link people}, with their values.
 */
export async function topOfPeople(
  persons: Select,
  { limit }: Pick<Breakdown, 'limit'>,
  context: InsightContext,
): Promise<BreakdownValues> {
  const { rows } = await context.ask(
    selectTop(persons, {
      by: field(1, 'text'),
      value: reached(1),
      where: [reachedRow(1)],
      limit,
    }),
  );
  return topOf(rows, limit);
}

/** Counts the people who reached a step, counted from 1. */
export function reached(step: number): Aggregate {
  return {
    kind: 'aggregate',
    function: 'count',
    args: [],
    when: reachedRow(step),
    of: 'number',
  };
}

/** Returns the seconds from one step to another, both counted from 0. */
export function secondsBetween(from: number, to: number): Expression {
  const at = (step: number) => call('item', [list, valueOf(step)], 'number');
  return call(
    'divide',
    [call('minus', [at(to), at(from)], 'number'), valueOf(1_000)],
    'number',
  );
}

/**
 * Selects for each step how many people reached it, and the average and median seconds
 * they took.
 */
export function selectSteps(
  persons: Select,
  count: number,
  shown?: Expression,
): Select {
  const columns = Array.from({ length: count }, (_, step) => {
    if (step === 0) {
      return [reached(1)];
    }
    const of = {
      args: [secondsBetween(step - 1, step)],
      when: reachedRow(step + 1),
      of: 'number',
    } as const;
    return [
      reached(step + 1),
      { kind: 'aggregate', function: 'avg', ...of },
      { kind: 'aggregate', function: 'quantile', level: 0.5, ...of },
    ] satisfies Aggregate[];
  }).flat();
  return {
    kind: 'select',
    from: persons,
    columns: [...columns, ...(shown ? [shown] : [])],
    where: [],
    groupBy: shown ? [shown] : [],
  };
}
