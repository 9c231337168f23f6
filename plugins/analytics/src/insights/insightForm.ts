import type { UrlFilters } from '@slipway/design-system';
import { INSIGHT_KINDS, type InsightKind } from '../api/InsightQuery';

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
   * Properties to break results down by, one per line: of events, of users with the prefix
   * `user:`, or of groups with the number of their type as the prefix, such as `group_0:`.
   * Alternatively, ids of cohorts with the prefix `cohort:`.
   */
  by: '',
  compare: '',
  order: 'ordered',
  /** How a funnel is shown: by its steps, by its conversion over time, or by how long people take. */
  viz: 'steps',
  window: '14',
  /** The event that excludes users who have it between the steps of a funnel. */
  exclude: '',
  returning: '',
  /** The number of intervals of a retention, up to the day `to`. */
  intervals: '8',
  start: '',
  /** `out` excludes test accounts, `in` counts them. */
  tests: '',
};
export type FormValues = typeof DEFAULTS;

/** The values of the form in the URL. */
export type Form = UrlFilters<keyof FormValues>;

/** Prefix of user properties in `by`. */
export const OF_USER = 'user:';
/** Prefix in `by` of cohort ids, and of the words for all users and all other users. */
export const OF_COHORT = 'cohort:';
/** The line of `by` for all users, whether in a cohort or not. */
export const ALL_USERS = `${OF_COHORT}all`;
/** The line of `by` for the users in none of the chosen cohorts. */
export const OTHER_USERS = `${OF_COHORT}others`;
/** Maximum number of properties that results are broken down by. */
const MOST_PROPERTIES = 3;
/** Maximum number of cohorts that results are broken down by. */
const MOST_COHORTS = 10;

/** Returns the prefix in `by` of the properties of groups of a type. */
export function ofGroup(index: number): string {
  return `group_${index}:`;
}

/** Checks whether a line of `by` is a cohort, all users or all other users, rather than a property. */
export function isCohort(by: string): boolean {
  return by.startsWith(OF_COHORT);
}

/** Checks whether lines of `by` contain the id of a cohort. */
export function hasCohort(lines: readonly string[]): boolean {
  return lines.some(line => /^cohort:\d+$/.test(line));
}

/** Returns the maximum number of lines in `by`, which depends on whether the first is a cohort. */
export function mostBreakdowns([first = '']: readonly string[]): number {
  return isCohort(first) ? MOST_COHORTS : MOST_PROPERTIES;
}

/** Returns the lines of `by`: only properties or only cohorts, depending on the first line. */
export function breakdownsOf({ by }: Pick<FormValues, 'by'>): string[] {
  const lines = [...new Set(by.split('\n').filter(Boolean))];
  const same = lines.filter(line => isCohort(line) === isCohort(lines[0]));
  return same
    .filter(line => line !== OTHER_USERS || hasCohort(same))
    .slice(0, mostBreakdowns(same));
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

/** Prefix of the number of a group type, in the way of counting that counts its groups. */
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

/** Converts events to values of the form. */
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

/** Checks whether a way of counting aggregates the values of a property. */
export function takesProperty({ math }: Pick<Measure, 'math'>): boolean {
  return COMPUTES.has(math);
}

/** Checks whether a property is given for every event that aggregates one. */
export function isReady(values: FormValues): boolean {
  return (
    !fieldsOf(values).has('math') ||
    measuresOf(values).every(each => !takesProperty(each) || each.of !== '')
  );
}

/** Returns the form fields that a kind of insight has. */
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
        // Without an order of steps, no event is between two of them.
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

/** Returns how many events a kind of insight can have. */
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

/** Returns the kind of insight with a name; trends by default. */
export function kindOf(name: string): InsightKind {
  return INSIGHT_KINDS.find(kind => kind === name) ?? 'TrendsQuery';
}
