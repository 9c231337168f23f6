import type {
  BreakdownProperty,
  InsightQuery,
  SeriesNode,
} from '../api/InsightQuery';
import { filtersOf, isComplete, trimmed } from '../filters/propertyFilters';
import {
  ANY_EVENT,
  breakdownsOf,
  DEFAULTS,
  eventCount,
  eventsOf,
  fieldsOf,
  type FormValues,
  isCohort,
  kindOf,
  type Measure,
  measuresOf,
  OF_COHORT,
  OF_USER,
  takesProperty,
} from './insightForm';

/** The names of intervals in queries of retention. */
export const PERIODS: Readonly<Record<string, string>> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};
/** Maximum number of intervals, and of days in a funnel's window, that the service accepts. */
const MOST_INTERVALS = 100;
const MOST_DAYS = 10_000;
const OF_GROUP = /^group_([0-4]):/;

/**
 * Replaces ids in addresses as the page of web analytics does, so that `/orders/1` and
 * `/orders/2` are one step. Applied twice, as consecutive ids share a slash.
 */
const WITHOUT_IDS = {
  regex: '/(?:[0-9]+|[0-9a-fA-F-]{16,})(/|[?]|#|$)',
  alias: '/:id\\1',
};

/** Builds the query from the values of the form. */
export function queryOf(values: FormValues): InsightQuery {
  const kind = kindOf(values.kind);
  const has = fieldsOf({ ...values, kind });
  const { least, most } = eventCount(kind);
  const events = eventsOf(values);
  const all = [
    ...events,
    ...Array.from(
      { length: Math.max(least - events.length, 0) },
      () => ANY_EVENT,
    ),
  ].slice(0, most);
  const filters = filtersOf(values.filters).filter(isComplete).map(trimmed);
  const base: InsightQuery = {
    kind,
    ...(filters.length > 0 && { properties: filters }),
    dateRange: dateRangeOf(values),
    ...(values.tests === 'out' && { filterTestAccounts: true }),
    ...(has.has('by') &&
      breakdownsOf(values).length > 0 && {
        breakdownFilter: breakdownFilterOf(values),
      }),
  };
  if (kind === 'RetentionQuery') {
    return {
      ...base,
      dateRange: {
        date_from: values.period,
        ...(values.to && { date_to: values.to }),
      },
      retentionFilter: {
        period: PERIODS[values.interval] ?? 'Day',
        totalIntervals: wholeNumber(values.intervals, {
          most: MOST_INTERVALS,
          otherwise: Number(DEFAULTS.intervals),
        }),
        targetEntity: { id: idOf(all[0]) },
        returningEntity: { id: idOf(values.returning || all[0]) },
      },
    };
  }
  if (kind === 'PathsQuery') {
    return {
      ...base,
      pathsFilter: {
        ...(values.start && { startPoint: values.start }),
        localPathCleaningFilters: [WITHOUT_IDS, WITHOUT_IDS],
      },
    };
  }
  return {
    ...base,
    series: has.has('math')
      ? measuresOf(values).slice(0, most).map(seriesOf)
      : all.map(event => seriesOf({ event, math: DEFAULTS.math, of: '' })),
    ...(has.has('formula') &&
      values.formula && { trendsFilter: { formula: values.formula } }),
    ...(has.has('interval') && { interval: values.interval }),
    ...(has.has('compare') &&
      values.compare && { compareFilter: { compare: true } }),
    ...(kind === 'FunnelsQuery' && {
      funnelsFilter: {
        funnelOrderType: values.order,
        ...(values.viz !== DEFAULTS.viz && { funnelVizType: values.viz }),
        funnelWindowInterval: wholeNumber(values.window, {
          most: MOST_DAYS,
          otherwise: Number(DEFAULTS.window),
        }),
        funnelWindowIntervalUnit: 'day',
        ...(has.has('exclude') &&
          values.exclude && {
            exclusions: [
              {
                kind: 'EventsNode' as const,
                event: values.exclude,
                funnelFromStep: 0,
                funnelToStep: all.length - 1,
              },
            ],
          }),
      },
    }),
  };
}

/** Returns the dates of a period: the chosen days, or a period until now. */
export function dateRangeOf(
  values: Record<'period' | 'from' | 'to', string>,
): NonNullable<InsightQuery['dateRange']> {
  return values.from
    ? { date_from: values.from, ...(values.to && { date_to: values.to }) }
    : { date_from: values.period };
}

function idOf(event: string): string | null {
  return event === ANY_EVENT || event === '' ? null : event;
}

/** Parses a typed whole number of at least 1. */
function wholeNumber(
  text: string,
  { most, otherwise }: { most: number; otherwise: number },
): number {
  const number = Math.trunc(Number(text)) || otherwise;
  return Math.min(Math.max(number, 1), most);
}

function seriesOf(measure: Measure): SeriesNode {
  const { event, of } = measure;
  const [math, group] = measure.math.split(':');
  return {
    kind: 'EventsNode',
    ...(event !== ANY_EVENT && { event }),
    ...(math !== DEFAULTS.math && { math }),
    ...(group !== undefined && { math_group_type_index: Number(group) }),
    ...(takesProperty(measure) && { math_property: of }),
  };
}

function breakdownFilterOf(
  values: FormValues,
): InsightQuery['breakdownFilter'] {
  const chosen = breakdownsOf(values);
  if (chosen.some(isCohort)) {
    return { breakdown_type: 'cohort', breakdown: chosen.map(cohortOf) };
  }
  const breakdowns = chosen.map(breakdownOf);
  if (breakdowns.length !== 1) {
    return { breakdowns };
  }
  const [{ property, type, group_type_index: group }] = breakdowns;
  return {
    breakdown: property,
    ...(type && { breakdown_type: type }),
    ...(group !== undefined && { breakdown_group_type_index: group }),
  };
}

/** Returns the cohort id in a line of `by`, or its word, such as `all`. */
function cohortOf(by: string): number | string {
  const id = by.slice(OF_COHORT.length);
  return /^\d+$/.test(id) ? Number(id) : id;
}

function breakdownOf(by: string): BreakdownProperty {
  const [prefix, group] = OF_GROUP.exec(by) ?? [];
  if (prefix) {
    return {
      property: by.slice(prefix.length),
      type: 'group',
      group_type_index: Number(group),
    };
  }
  return by.startsWith(OF_USER)
    ? { property: by.slice(OF_USER.length), type: 'person' }
    : { property: by };
}
