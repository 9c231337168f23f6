import { fault } from '../faults.ts';
import {
  call,
  COUNT,
  type Expression,
  field,
  not,
  type Select,
  valueOf,
} from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { ActorsSource, Query } from '../schemas.ts';
import { move, startOf } from '../time/zones.ts';
import { NONE, OTHER_OF_FUNNELS, shownValue } from './breakdowns.ts';
import { assertInsight, type Buckets, dayOf, PERSON } from './buckets.ts';
import {
  joinOthers,
  people,
  reachedRow,
  readFunnel,
  topOfPeople,
} from './funnelPlan.ts';
import { activeDays } from './maths.ts';
import { readBreakdown } from './readBreakdown.ts';
import { IS_START, readRetention, retentionItem } from './retention.ts';
import { readValue } from './selectedValue.ts';
import { assertOfPeople, ITEM, itemsOf, topItems } from './subject.ts';
import { eventsIn, readTrends, topValues } from './trendSeries.ts';

/**
 * Selects the people behind a number, one per row, with the number of their events in trends.
 * @param conditions - conditions on people, which all their events meet or none.
 */
export type SelectActors = (conditions: readonly Expression[]) => Select;

type Reading = (
  selected: Selected,
  context: InsightContext,
) => Promise<SelectActors>;

/** A number of an insight, and the query of the insight. */
interface Selected {
  readonly query: Query;
  readonly source: ActorsSource;
}

const READINGS: Readonly<
  Record<ActorsSource['kind'], Readonly<Record<string, Reading>>>
> = {
  FunnelsActorsQuery: { FunnelsQuery: readFunnelActors },
  InsightActorsQuery: {
    RetentionQuery: readRetentionActors,
    TrendsQuery: readTrendActors,
  },
};

/** Reads which people an ActorsQuery is about. */
export async function readActors(
  source: ActorsSource,
  context: InsightContext,
): Promise<SelectActors> {
  // Only an ActorsQuery has a source.
  const { source: _none, ...query } = source.source;
  const { kind } = query;
  const readings = READINGS[source.kind];
  if (!Object.hasOwn(readings, kind)) {
    throw fault(
      'query.source.source.kind',
      `cannot be ${kind} in ${source.kind}: use ${Object.keys(readings).join(' or ')}`,
      'enum',
    );
  }
  return readings[kind]({ query, source }, context);
}

async function readTrendActors(
  { query, source }: Selected,
  context: InsightContext,
): Promise<SelectActors> {
  const { series = 0, compare = 'current', day } = source;
  const trends = await readTrends(query, context);
  const { breakdown, periods, isCumulative } = trends;
  const asked = trends.asked.at(series);
  if (!asked) {
    throw fault('query.source.series', 'is not in the query', 'maximum');
  }
  const period = periods.find(({ label }) => label === compare);
  if (!period) {
    throw fault('query.source.compare', 'needs a query that compares');
  }
  const range = rangeOf(period.buckets, day, {
    isCumulative,
    width: activeDays(asked.series),
  });
  const { where: ofValue } = await readValue(breakdown?.by, source.breakdown, {
    breakdown,
    path: 'query.source.breakdown',
    none: NONE,
    top: of => topValues(asked, of, { buckets: trends.buckets, context }),
  });
  return conditions => ({
    kind: 'select',
    from: eventsIn(asked.matching, range, context),
    columns: [PERSON, COUNT],
    where: [...asked.where, ...ofValue, ...conditions],
    groupBy: [PERSON],
  });
}

/** Returns the time that a number of a line is about: that of its bucket, or all without a day. */
function rangeOf(
  buckets: Buckets,
  day: string | number | undefined,
  options: { isCumulative: boolean; width: number | undefined },
): Buckets {
  const { starts, end, calendar } = buckets;
  const [first] = starts;
  if (day === undefined) {
    return { ...buckets, starts: [first] };
  }
  const index =
    typeof day === 'number'
      ? day
      : starts.findIndex(start => dayOf(start, buckets) === day);
  if (starts[index] === undefined) {
    throw fault(
      'query.source.day',
      'is not one of days of the result, nor its index',
      'enum',
    );
  }
  const { isCumulative, width } = options;
  if (width !== undefined) {
    // Those who are active in a number of days are counted as of the first day of a bucket.
    const on = startOf(starts[index], 'day', calendar);
    const after = (steps: number) =>
      startOf(move(on, 'day', { steps, zone: calendar.zone }), 'day', calendar);
    return { ...buckets, starts: [after(1 - width)], end: after(1) };
  }
  return {
    ...buckets,
    starts: [isCumulative ? first : starts[index]],
    end: starts[index + 1] ?? end,
  };
}

async function readFunnelActors(
  { query, source }: Selected,
  context: InsightContext,
): Promise<SelectActors> {
  const { funnelStep: step = 0 } = source;
  assertInsight(query, { breaksDown: true });
  assertOfPeople(query, 'a funnel of people');
  if (query.funnelsFilter?.funnelAggregateByHogQL) {
    throw fault(
      'query.funnelsFilter.funnelAggregateByHogQL',
      'is not supported: use a funnel of people',
    );
  }
  const breakdown = readBreakdown(query, context, { emptyIsNone: true });
  const funnel = await readFunnel(query, context, breakdown?.by);
  const { steps } = funnel.fold;
  if (step === 0 || step === -1 || Math.abs(step) > steps) {
    throw fault(
      'query.source.funnelStep',
      `must be 1 to ${steps} for those who reached a step, or -2 to -${steps} for those who only reached the one before`,
      'enum',
    );
  }
  const reached =
    step > 0
      ? [reachedRow(step)]
      : [reachedRow(-step - 1), not(reachedRow(-step))];
  const selected = await readValue(
    field(1, 'text'),
    source.funnelStepBreakdown,
    {
      breakdown,
      path: 'query.source.funnelStepBreakdown',
      none: '',
      other: OTHER_OF_FUNNELS,
      top: of => topOfPeople(people(funnel, of.by), of, context),
    },
  );
  const { others } = selected;
  const followed =
    others && breakdown ? joinOthers(funnel, breakdown, others) : funnel;
  const { events } = followed;
  const person = field(breakdown ? 2 : 1, 'text');
  return conditions => ({
    kind: 'select',
    from: people(
      {
        ...followed,
        events: { ...events, where: [...events.where, ...conditions] },
      },
      breakdown?.by,
      { named: true },
    ),
    columns: [person],
    where: [...reached, ...selected.where],
    groupBy: [person],
  });
}

async function readRetentionActors(
  { query, source }: Selected,
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
  const item = valueOf(retentionItem(row, later));
  const person = field(breakdown ? 2 : 1, 'text');
  return conditions => ({
    kind: 'select',
    from: itemsOf(
      { ...lists, where: [...lists.where, ...conditions] },
      context,
      by,
      { named: true },
    ),
    columns: [person],
    where: [call('equals', [ITEM, item], 'boolean'), ...selected.where],
    groupBy: [person],
  });
}
