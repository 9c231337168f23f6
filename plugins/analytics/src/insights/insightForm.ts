import {
  INSIGHT_KINDS,
  type InsightKind,
  type InsightQuery,
} from '../api/InsightQuery';

/** The values of the form, which are stored in the URL. */
export const DEFAULTS = {
  kind: 'TrendsQuery',
  events: '',
  math: 'total',
  interval: 'day',
  period: '-30d',
  from: '',
  to: '',
  by: '',
  compare: '',
  order: 'ordered',
  window: '14',
  returning: '',
  start: '',
  /** `out` leaves out test accounts, `in` counts them. */
  tests: '',
};
export type FormValues = typeof DEFAULTS;

/** Represents every event in the list of events. */
export const ANY_EVENT = '*';

/** Returns the events of the form, at least one. */
export function eventsOf({ events }: Pick<FormValues, 'events'>): string[] {
  const names = events.split('\n').filter(Boolean);
  return names.length > 0 ? names : [ANY_EVENT];
}

/** Returns the fields of a kind of insight. */
export function fieldsOf(kind: string): ReadonlySet<keyof FormValues> {
  switch (kind) {
    case 'FunnelsQuery':
      return new Set(['events', 'order', 'period', 'window', 'by']);
    case 'RetentionQuery':
      // Its period is a number of intervals.
      return new Set(['events', 'returning', 'interval']);
    case 'LifecycleQuery':
      return new Set(['events', 'interval', 'period']);
    case 'StickinessQuery':
      return new Set(['events', 'interval', 'period', 'compare']);
    case 'PathsQuery':
      return new Set(['period', 'start']);
    default:
      return new Set(['events', 'math', 'interval', 'period', 'by', 'compare']);
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

const PERIODS: Readonly<Record<string, string>> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};
const INTERVALS = 8;

function idOf(event: string): string | null {
  return event === ANY_EVENT || event === '' ? null : event;
}

/** Builds the query from the values of the form. */
export function queryOf(values: FormValues): InsightQuery {
  const kind = kindOf(values.kind);
  const has = fieldsOf(kind);
  const { least } = eventCount(kind);
  const events = eventsOf(values);
  const all = [
    ...events,
    ...Array.from(
      { length: Math.max(least - events.length, 0) },
      () => ANY_EVENT,
    ),
  ].slice(0, eventCount(kind).most);
  const base: InsightQuery = {
    kind,
    dateRange: values.from
      ? { date_from: values.from, ...(values.to && { date_to: values.to }) }
      : { date_from: values.period },
    ...(values.tests === 'out' && { filterTestAccounts: true }),
  };
  if (kind === 'RetentionQuery') {
    return {
      ...base,
      retentionFilter: {
        period: PERIODS[values.interval] ?? 'Day',
        totalIntervals: INTERVALS,
        targetEntity: { id: idOf(all[0]) },
        returningEntity: { id: idOf(values.returning || all[0]) },
      },
    };
  }
  if (kind === 'PathsQuery') {
    return {
      ...base,
      pathsFilter: { ...(values.start && { startPoint: values.start }) },
    };
  }
  return {
    ...base,
    series: all.map(event => ({
      kind: 'EventsNode',
      ...(event !== ANY_EVENT && { event }),
      ...(has.has('math') && values.math !== 'total' && { math: values.math }),
    })),
    ...(has.has('interval') && { interval: values.interval }),
    ...(has.has('by') &&
      values.by && { breakdownFilter: { breakdown: values.by } }),
    ...(has.has('compare') &&
      values.compare && { compareFilter: { compare: true } }),
    ...(kind === 'FunnelsQuery' && {
      funnelsFilter: {
        funnelOrderType: values.order,
        funnelWindowInterval: Math.max(
          1,
          Math.trunc(Number(values.window)) || 14,
        ),
        funnelWindowIntervalUnit: 'day',
      },
    }),
  };
}

function kindOf(name: string): InsightKind {
  return INSIGHT_KINDS.find(kind => kind === name) ?? 'TrendsQuery';
}

/** Returns the values of the form for a saved query. */
function valuesOf(query: InsightQuery): FormValues {
  const { series = [], dateRange = {}, retentionFilter: retention } = query;
  const eventOf = (id: string | null | undefined) => id || ANY_EVENT;
  const isCustom = /^\d/.test(dateRange.date_from ?? '');
  const period = Object.entries(PERIODS).find(
    ([, name]) => name === retention?.period,
  )?.[0];
  return {
    ...DEFAULTS,
    kind: kindOf(query.kind),
    events: retention
      ? eventOf(retention.targetEntity.id)
      : series.map(({ event }) => eventOf(event)).join('\n'),
    math: series[0]?.math ?? DEFAULTS.math,
    interval: period ?? query.interval ?? DEFAULTS.interval,
    period: isCustom
      ? DEFAULTS.period
      : (dateRange.date_from ?? DEFAULTS.period),
    from: isCustom ? dateRange.date_from! : '',
    to: isCustom ? (dateRange.date_to ?? '') : '',
    by: query.breakdownFilter?.breakdown ?? '',
    compare: query.compareFilter?.compare ? 'yes' : '',
    order: query.funnelsFilter?.funnelOrderType ?? DEFAULTS.order,
    window: String(
      query.funnelsFilter?.funnelWindowInterval ?? DEFAULTS.window,
    ),
    returning: retention ? eventOf(retention.returningEntity.id) : '',
    start: query.pathsFilter?.startPoint ?? '',
    tests: query.filterTestAccounts ? 'out' : 'in',
  };
}

/** Returns the URL query of the page of a saved insight. */
export function searchOf(
  query: InsightQuery,
  more: Readonly<Record<string, string>>,
): string {
  const params = new URLSearchParams(more);
  for (const [key, value] of Object.entries(valuesOf(query))) {
    if (value !== DEFAULTS[key as keyof FormValues]) {
      params.set(key, value);
    }
  }
  return `?${params}`;
}
