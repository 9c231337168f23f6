import type { Static } from 'typebox';
import type {
  Cell,
  Condition,
  EventsPlan,
  PlanRows,
  RowExpression,
} from './language/EventsPlan.ts';
import {
  type Buckets,
  planOfLine,
  type TrendLine,
  type TrendsPlan,
} from './planTrends.ts';
import type { TrendsAnswer } from './schemas.ts';

type Ask = (plan: EventsPlan) => Promise<PlanRows>;
type Result = Static<typeof TrendsAnswer>['results'][number];

/** Stand for events without a value of the breakdown, and for values that are put together. */
const NONE = '$$_posthog_breakdown_null_$$';
const OTHER = '$$_posthog_breakdown_other_$$';

/** Answers a plan of trends by plans of events, one or two for each line. */
export async function answerTrends(
  plan: TrendsPlan,
  ask: Ask,
): Promise<Static<typeof TrendsAnswer>> {
  const periods = [
    { buckets: plan.buckets, label: 'current' },
    ...(plan.previous ? [{ buckets: plan.previous, label: 'previous' }] : []),
  ];
  const lines = await Promise.all(
    plan.series.map(async (line, order) => {
      const values = await valuesOf(plan, line, ask);
      const drawn = await Promise.all(
        periods.map(async ({ buckets, label }) => {
          const data = await drawLine(plan, line, { buckets, values, ask });
          return data.map(({ value, numbers }) => ({
            ...resultOf(plan, line, { order, buckets, value, numbers }),
            ...(plan.previous && { compare: true, compare_label: label }),
          }));
        }),
      );
      return { results: drawn.flat(), hasMore: values?.hasMore ?? false };
    }),
  );
  return {
    results: lines.flatMap(({ results }) => results),
    hasMore: lines.some(({ hasMore }) => hasMore),
  };
}

/** The values of a breakdown that get lines of their own. */
interface BreakdownValues {
  /** The most frequent first; null for events without one. */
  readonly top: readonly (string | null)[];
  readonly hasMore: boolean;
}

/** Chosen over the whole period, so that each has all of its points. */
async function valuesOf(
  plan: TrendsPlan,
  line: TrendLine,
  ask: Ask,
): Promise<BreakdownValues | undefined> {
  const { breakdown, buckets } = plan;
  if (!breakdown) {
    return undefined;
  }
  const { limit, property } = breakdown;
  const { rows } = await ask(
    planOfLine(plan, line, {
      buckets,
      byBucket: false,
      by: { kind: 'property', name: property },
      limit,
    }),
  );
  const found = rows.slice(0, limit).map(([value]) => value as string | null);
  const named = found.filter(value => value !== null);
  return {
    top: found.includes(null) ? [...named, null] : named,
    hasMore: rows.length > limit,
  };
}

interface Drawn {
  value?: string;
  numbers: number[];
}

async function drawLine(
  plan: TrendsPlan,
  line: TrendLine,
  options: {
    buckets: Buckets;
    values: BreakdownValues | undefined;
    ask: Ask;
  },
): Promise<Drawn[]> {
  const { buckets, values, ask } = options;
  if (!values) {
    const { rows } = await ask(
      planOfLine(plan, line, { buckets, byBucket: true }),
    );
    return [{ numbers: numbersOf(rows, buckets) }];
  }
  if (values.top.length === 0) {
    return [];
  }
  const by: RowExpression = {
    kind: 'property',
    name: plan.breakdown!.property,
  };
  const { rows } = await ask(
    planOfLine(plan, line, {
      buckets,
      byBucket: true,
      by,
      where: [isOneOf(by, values.top)],
    }),
  );
  const drawn = values.top.map(value => ({
    value: value ?? NONE,
    numbers: numbersOf(
      rows
        .filter(([, found]) => found === value)
        .map(([bucket, , number]) => [bucket, number]),
      buckets,
    ),
  }));
  if (!values.hasMore) {
    return drawn;
  }
  // People of several values count once among the others: their numbers do not add up.
  const others = await ask(
    planOfLine(plan, line, {
      buckets,
      byBucket: true,
      where: [{ kind: 'not', of: isOneOf(by, values.top) }],
    }),
  );
  return [...drawn, { value: OTHER, numbers: numbersOf(others.rows, buckets) }];
}

/** @param values - one at least. */
function isOneOf(
  left: RowExpression,
  values: readonly (string | null)[],
): Condition {
  const named = values.filter(value => value !== null);
  const isNamed: Condition = {
    kind: 'in',
    left,
    values: named,
    negated: false,
  };
  const isAbsent: Condition = { kind: 'absent', left, negated: false };
  return {
    kind: 'or',
    all: [
      ...(named.length > 0 ? [isNamed] : []),
      ...(values.includes(null) ? [isAbsent] : []),
    ],
  };
}

/** A number for each bucket; nothing happened in those that no row tells of. */
function numbersOf(
  rows: readonly (readonly Cell[])[],
  { starts }: Buckets,
): number[] {
  const found = new Map(
    rows.map(([bucket, number]) => [Number(bucket), Number(number ?? 0)]),
  );
  return starts.map(start => found.get(start) ?? 0);
}

function resultOf(
  plan: TrendsPlan,
  { asked }: TrendLine,
  drawn: { order: number; buckets: Buckets; value?: string; numbers: number[] },
): Result {
  const { order, buckets, value, numbers } = drawn;
  const { event, name, custom_name: customName } = asked;
  const label = customName || event || name || 'All events';
  const prefix = plan.series.length === 1 ? '' : `${label} - `;
  return {
    label: value === undefined ? label : prefix + value,
    count: numbers.reduce((sum, number) => sum + number, 0),
    data: numbers,
    days: buckets.starts.map(start => dayOf(start, buckets)),
    labels: buckets.starts.map(start => labelOf(start, buckets)),
    action: {
      id: event || null,
      type: 'events',
      order,
      name: label,
      custom_name: customName ?? null,
      math: asked.math ?? 'total',
      math_property: asked.math_property ?? null,
    },
    ...(value !== undefined && { breakdown_value: value }),
  };
}

function dayOf(start: number, { unit }: Buckets): string {
  const text = new Date(start).toISOString();
  return unit === 'hour'
    ? `${text.slice(0, 10)} ${text.slice(11, 19)}`
    : text.slice(0, 10);
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function labelOf(start: number, { unit }: Buckets): string {
  const date = new Date(start);
  const day = `${date.getUTCDate()}-${
    MONTHS[date.getUTCMonth()]
  }-${date.getUTCFullYear()}`;
  return unit === 'hour' ? `${day} ${date.toISOString().slice(11, 16)}` : day;
}
