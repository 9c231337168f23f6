import type { UrlFilters } from '@slipway/design-system';
import {
  type BreakdownProperty,
  INSIGHT_KINDS,
  type InsightKind,
  type InsightQuery,
  type SeriesNode,
} from '../api/InsightQuery';
import { filtersOf, isComplete, trimmed } from '../filters/propertyFilters';

/** The values of the form, which are stored in the URL. */
export const DEFAULTS = {
  kind: 'TrendsQuery',
  events: '',
  /** How to count each event, one per line; a single one applies to all. */
  math: 'total',
  /** The property to aggregate for each event, one per line. */
  of: '',
  formula: '',
  /** Property filters, as JSON. */
  filters: '',
  interval: 'day',
  period: '-30d',
  from: '',
  to: '',
  /**
   * Properties, one per line: of events, of users after `user:`, or of a group after the number of
   * its type, such as `group_0:`.
   */
  by: '',
  compare: '',
  order: 'ordered',
  /** What a funnel shows: its steps, its conversion over time, or how long people take. */
  viz: 'steps',
  window: '14',
  /** The event that leaves out users who have it between the steps of a funnel. */
  exclude: '',
  returning: '',
  /** The number of intervals of a retention, up to the day `to`. */
  intervals: '8',
  start: '',
  /** `out` leaves out test accounts, `in` counts them. */
  tests: '',
};
export type FormValues = typeof DEFAULTS;

/** The values of the form in the URL. */
export type Form = UrlFilters<keyof FormValues>;

/** Precedes the name of a property of users in `by`. */
export const OF_USER = 'user:';
/** Maximum number of properties that results are broken down by. */
export const MOST_BREAKDOWNS = 3;
const OF_GROUP = /^group_([0-4]):/;

/** Returns what precedes the name of a property of groups of a type in `by`. */
export function ofGroup(index: number): string {
  return `group_${index}:`;
}

/** Returns the properties of `by`. */
export function breakdownsOf({ by }: Pick<FormValues, 'by'>): string[] {
  return by.split('\n').filter(Boolean).slice(0, MOST_BREAKDOWNS);
}
/** Ways of counting that aggregate the values of a property. */
export const MATHS_OF_PROPERTY = [
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'p75',
  'p90',
  'p95',
  'p99',
] as const;
const COMPUTES: ReadonlySet<string> = new Set(MATHS_OF_PROPERTY);

/** Represents every event in the list of events. */
export const ANY_EVENT = '*';

/** Returns the events of the form, at least one. */
export function eventsOf({ events }: Pick<FormValues, 'events'>): string[] {
  const names = events.split('\n').filter(Boolean);
  return names.length > 0 ? names : [ANY_EVENT];
}

/** Precedes the number of a group type in the way of counting its groups. */
export const GROUPS = 'unique_group:';

/** An event of trends: how it is counted, and the property that is aggregated, if any. */
export interface Measure {
  event: string;
  math: string;
  of: string;
}

/** Returns the events of the form with how each is counted. */
export function measuresOf(values: FormValues): Measure[] {
  const maths = values.math.split('\n');
  const properties = values.of.split('\n');
  return eventsOf(values).map((event, at) => ({
    event,
    math:
      (maths.length === 1 ? maths[0] : maths[at]) || (DEFAULTS.math as string),
    of: properties[at] ?? '',
  }));
}

/** Writes events as values of the form. */
export function valuesOfMeasures(
  measures: readonly Measure[],
): Pick<FormValues, 'events' | 'math' | 'of'> {
  const maths = measures.map(({ math }) => math);
  const properties = measures.map(({ of }) => of);
  return {
    events: measures.map(({ event }) => event).join('\n'),
    math: new Set(maths).size === 1 ? maths[0] : maths.join('\n'),
    of: properties.some(Boolean) ? properties.join('\n') : '',
  };
}

/** Returns how the series of a query is counted, as a value of the form. */
export function mathOf({
  math = DEFAULTS.math,
  math_group_type_index: group = 0,
}: SeriesNode): string {
  return `${math}:` === GROUPS ? `${GROUPS}${group}` : math;
}

/** Tells whether a way of counting aggregates the values of a property. */
export function takesProperty({ math }: Pick<Measure, 'math'>): boolean {
  return COMPUTES.has(math);
}

/** Tells whether every event that aggregates a property names it. */
export function isReady(values: FormValues): boolean {
  return (
    !fieldsOf(values).has('math') ||
    measuresOf(values).every(each => !takesProperty(each) || each.of !== '')
  );
}

/**
 * Replaces ids in addresses as the web page does, so that `/orders/1` and `/orders/2` are one step.
 * Applied twice: ids that follow each other share a slash.
 */
const WITHOUT_IDS = {
  regex: '/(?:[0-9]+|[0-9a-fA-F-]{16,})(/|[?]|#|$)',
  alias: '/:id\\1',
};

/** Returns the fields of a kind of insight. */
export function fieldsOf({
  kind,
  viz,
  order,
}: Pick<FormValues, 'kind' | 'viz' | 'order'>): ReadonlySet<keyof FormValues> {
  switch (kind) {
    case 'FunnelsQuery':
      return new Set([
        'events',
        'viz',
        'order',
        'period',
        'window',
        'filters',
        // Without an order, nothing is between two steps.
        ...(order === 'unordered' ? [] : (['exclude'] as const)),
        ...(viz === 'trends' ? (['interval'] as const) : []),
        // The service does not break down the time to convert.
        ...(viz === 'time_to_convert' ? [] : (['by'] as const)),
      ]);
    case 'RetentionQuery':
      // Its period is a number of intervals.
      return new Set([
        'events',
        'returning',
        'interval',
        'intervals',
        'by',
        'filters',
      ]);
    case 'LifecycleQuery':
      return new Set(['events', 'interval', 'period', 'filters']);
    case 'StickinessQuery':
      return new Set(['events', 'interval', 'period', 'compare', 'filters']);
    case 'PathsQuery':
      return new Set(['period', 'start', 'filters']);
    default:
      return new Set([
        'events',
        'math',
        'formula',
        'interval',
        'period',
        'by',
        'compare',
        'filters',
      ]);
  }
}

/** Returns how many events a kind of insight has. */
export function eventCount(kind: string): { least: number; most: number } {
  switch (kind) {
    case 'FunnelsQuery':
      return { least: 2, most: 10 };
    case 'TrendsQuery':
    case 'StickinessQuery':
      return { least: 1, most: 5 };
    default:
      return { least: 1, most: 1 };
  }
}

/** The names of intervals in queries of retention. */
export const PERIODS: Readonly<Record<string, string>> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};
/** The service accepts at most this many intervals, and days of a funnel's window. */
const MOST_INTERVALS = 100;
const MOST_DAYS = 10_000;

function idOf(event: string): string | null {
  return event === ANY_EVENT || event === '' ? null : event;
}

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
      values.by && { breakdownFilter: breakdownFilterOf(values) }),
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

/** Reads a typed number, from 1. */
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
  const breakdowns = breakdownsOf(values).map(breakdownOf);
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

/** Writes the breakdown of a query as a value of the form. */
export function byOf({ breakdownFilter = {} }: InsightQuery): string {
  const {
    breakdown = [],
    breakdown_type: type,
    breakdown_group_type_index: group,
    breakdowns = [],
  } = breakdownFilter;
  const asked = breakdowns.length
    ? breakdowns
    : [breakdown]
        .flat()
        .map(property => ({ property, type, group_type_index: group }));
  return asked.map(nameOfBreakdown).join('\n');
}

function nameOfBreakdown(of: BreakdownProperty): string {
  switch (of.type) {
    case 'person':
      return `${OF_USER}${of.property}`;
    case 'group':
      return `${ofGroup(of.group_type_index ?? 0)}${of.property}`;
    default:
      return of.property;
  }
}

/** Returns the kind of a name, trends by default. */
export function kindOf(name: string): InsightKind {
  return INSIGHT_KINDS.find(kind => kind === name) ?? 'TrendsQuery';
}

/** Returns the dates of a period: those chosen, or until now. */
export function dateRangeOf(
  values: Record<'period' | 'from' | 'to', string>,
): NonNullable<InsightQuery['dateRange']> {
  return values.from
    ? { date_from: values.from, ...(values.to && { date_to: values.to }) }
    : { date_from: values.period };
}
