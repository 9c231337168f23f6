import {
  type BreakdownProperty,
  hasForm,
  type InsightQuery,
  isHogql,
  type RetentionEntity,
  type SeriesNode,
} from '../api/InsightQuery';
import { textOf } from '../filters/propertyFilters';
import { PERIODS, queryOf } from './formQuery';
import {
  ANY_EVENT,
  DEFAULTS,
  type FormValues,
  GROUPS,
  kindOf,
  OF_COHORT,
  OF_USER,
  ofGroup,
  valuesOfMeasures,
} from './insightForm';

/** The service's default period, for queries without one. */
const PERIOD_OF_SERVICE = '-7d';

/**
 * Returns the query of the form. As long as the form has the values of the opened insight,
 * this is the insight's own query, in which programs may have set more than the form can.
 */
export function currentQuery(
  values: FormValues,
  opened: InsightQuery | undefined,
): {
  query: InsightQuery;
  /** The fields that only the insight's query has. */
  more: string[];
} {
  const query = queryOf(values);
  if (!opened || !isQueryOf(values, opened)) {
    return { query, more: [] };
  }
  const more = Object.entries(withListedCohorts(opened))
    .filter(
      ([field, value]) =>
        field !== 'filterTestAccounts' &&
        !isWithin(value, query[field as keyof InsightQuery]),
    )
    .map(([field]) => field);
  return more.length === 0
    ? { query, more }
    : {
        query: { ...opened, filterTestAccounts: query.filterTestAccounts },
        more,
      };
}

/** Converts a query's cohorts to the list of numbers that the form writes: programs may write `7`. */
function withListedCohorts(query: InsightQuery): InsightQuery {
  const { breakdown = [], breakdown_type: type } = query.breakdownFilter ?? {};
  return type === 'cohort'
    ? {
        ...query,
        breakdownFilter: {
          ...query.breakdownFilter,
          breakdown: [breakdown].flat().map(each => Number(each) || each),
        },
      }
    : query;
}

/** Checks whether the form can build a query completely: programs may have set more. */
export function isOfForm(query: InsightQuery): boolean {
  return (
    hasForm(query) && currentQuery(valuesOf(query), query).more.length === 0
  );
}

/** Checks whether the form has the values of a saved query, ignoring the choice about test accounts. */
export function isQueryOf(values: FormValues, saved: InsightQuery): boolean {
  return isSame(
    queryOf({ ...valuesOf(saved), tests: values.tests }),
    queryOf(values),
  );
}

/** Compares JSON values; an empty or false field equals a missing one. */
function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(
            Object.entries(part)
              .filter(([, each]) => !isEmpty(each))
              .sort(([x], [y]) => (x < y ? -1 : 1)),
          )
        : part,
    ) ?? ''
  );
}

/**
 * Checks whether a form's JSON value contains everything that another value contains.
 * Fields that a program omits get the service's default, which is the form's default too.
 */
function isWithin(value: unknown, formed: unknown): boolean {
  if (!isObject(value) || !isObject(formed)) {
    return isSame(value, formed);
  }
  return Object.entries(value).every(
    ([key, each]) => isEmpty(each) || isWithin(each, formed[key]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === false ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** Returns the values of the form for a saved query. */
export function valuesOf(query: InsightQuery): FormValues {
  const { series = [] } = query;
  const retention =
    query.kind === 'RetentionQuery' ? (query.retentionFilter ?? {}) : undefined;
  const dateRange = query.dateRange ?? {};
  const eventOf = (id: string | null | undefined) => id || ANY_EVENT;
  // The service's default, for queries of programs.
  const entityOf = (entity: RetentionEntity = { id: '$pageview' }) =>
    eventOf(entity.id);
  const isCustom = /^\d/.test(dateRange.date_from ?? '');
  const period = Object.entries(PERIODS).find(
    ([, name]) => name === retention?.period,
  )?.[0];
  return {
    ...DEFAULTS,
    kind: kindOf(query.kind),
    ...(retention
      ? { events: entityOf(retention.targetEntity) }
      : series.length > 0 &&
        valuesOfMeasures(
          series.map(each => ({
            event: eventOf(each.event),
            math: mathOf(each),
            of: each.math_property ?? '',
          })),
        )),
    formula: query.trendsFilter?.formula ?? '',
    filters: Array.isArray(query.properties) ? textOf(query.properties) : '',
    interval: period ?? query.interval ?? DEFAULTS.interval,
    period: isCustom
      ? DEFAULTS.period
      : (dateRange.date_from ??
        // A retention has a number of intervals instead of a period.
        (retention ? DEFAULTS.period : PERIOD_OF_SERVICE)),
    from: isCustom ? dateRange.date_from! : '',
    to: isCustom || retention ? (dateRange.date_to ?? '') : '',
    by: byOf(query),
    compare: query.compareFilter?.compare ? 'yes' : '',
    viz: query.funnelsFilter?.funnelVizType ?? DEFAULTS.viz,
    order: query.funnelsFilter?.funnelOrderType ?? DEFAULTS.order,
    window: String(
      query.funnelsFilter?.funnelWindowInterval ?? DEFAULTS.window,
    ),
    exclude: exclusionOf(query),
    returning: retention ? entityOf(retention.returningEntity) : '',
    intervals: String(retention?.totalIntervals ?? DEFAULTS.intervals),
    start: query.pathsFilter?.startPoint ?? '',
    tests: query.filterTestAccounts ? 'out' : 'in',
  };
}

/** Returns the event that excludes users between the first and the last step of a funnel. */
function exclusionOf({
  funnelsFilter = {},
  series = [],
}: InsightQuery): string {
  const [only, ...more] = funnelsFilter.exclusions ?? [];
  const isWhole =
    only?.funnelFromStep === 0 && only.funnelToStep === series.length - 1;
  return isWhole && more.length === 0 ? (only.event ?? '') : '';
}

/** Returns how the series of a query is counted, as a value of the form. */
function mathOf({
  math = DEFAULTS.math,
  math_group_type_index: group = 0,
}: SeriesNode): string {
  return `${math}:` === GROUPS ? `${GROUPS}${group}` : math;
}

/** Converts the breakdown of a query to a value of the form. */
function byOf({ breakdownFilter = {} }: InsightQuery): string {
  const {
    breakdown = [],
    breakdown_type: type,
    breakdown_group_type_index: group,
    breakdowns = [],
  } = breakdownFilter;
  const asked = breakdowns.length
    ? breakdowns
    : [breakdown].flat().map(property => ({
        property: String(property),
        type,
        group_type_index: group,
      }));
  return asked.map(nameOfBreakdown).join('\n');
}

function nameOfBreakdown(of: BreakdownProperty): string {
  switch (of.type) {
    case 'person':
      return `${OF_USER}${of.property}`;
    case 'cohort':
      return `${OF_COHORT}${of.property}`;
    case 'group':
      return `${ofGroup(of.group_type_index ?? 0)}${of.property}`;
    default:
      return of.property;
  }
}

/** Returns the address of the page that shows a query, such as that of a saved insight. */
export function addressOf(
  query: InsightQuery,
  more: Readonly<Record<string, string>>,
): string {
  const params = new URLSearchParams(more);
  if (isHogql(query)) {
    params.set('language', 'sql');
    params.set('sql', query.query);
    if (query.filters) {
      params.set('tests', query.filters.filterTestAccounts ? 'out' : 'in');
    }
    return `/analytics/query?${params}`;
  }
  const values = hasForm(query) ? valuesOf(query) : DEFAULTS;
  for (const [key, value] of Object.entries(values)) {
    if (value !== DEFAULTS[key as keyof FormValues]) {
      params.set(key, value);
    }
  }
  return `/analytics/insights?${params}`;
}
