import { InvalidRequestError } from '@slipway/service-kit';

/**
 * Creates a 400 error about a field of the request.
 * @param field - path of the field, which precedes the message.
 * @param wording - the rest of the message, such as `is not supported`.
 */
export function fault(
  field: string,
  wording: string,
  constraint = 'unsupported',
): InvalidRequestError {
  return new InvalidRequestError(`${field} ${wording}`, { field, constraint });
}

/**
 * Rejects unsupported fields that would change the result of a query. Empty fields are
 * accepted: they have no effect in PostHog either.
 * @param path - path of the query in the request.
 * @param instead - what to use instead, by field name.
 * @throws InvalidRequestError naming the first field that is not empty.
 */
export function assertEmpty<Q extends object>(
  query: Q,
  names: readonly (keyof Q & string)[],
  {
    path = 'query',
    instead = {},
  }: { path?: string; instead?: Readonly<Record<string, string>> } = {},
): void {
  const name = names.find(each => {
    const value: unknown = query[each];
    return typeof value === 'object' && value !== null
      ? Object.values(value).some(member => member !== null)
      : value;
  });
  if (name) {
    const replacement = instead[name];
    throw fault(
      `${path}.${name}`,
      `is not supported${replacement ? `: use ${replacement}` : ''}`,
    );
  }
}

/** What to use instead of PostHog's unsupported fields, by field name. */
export const INSTEAD: Readonly<Record<string, string>> = {
  actionId: 'event and properties',
  actionSteps: 'event and properties',
  breakdown_histogram_bin_count:
    'breakdown_type hogql with floor(properties.x / 10) * 10',
  conversionGoal: 'a FunnelsQuery',
  explicitDate: 'interval hour, with times at full hours',
  funnelPathsFilter: 'startPoint and endPoint',
  histogram_bin_count:
    'breakdown_type hogql with floor(properties.x / 10) * 10',
  math_multiplier: 'trendsFilter.formula, such as A * 2',
  math_property_revenue_currency: 'math_hogql',
  optionalInFunnel: 'a FunnelsQuery without this step',
  personId: 'where: ["person_id = \'…\'"]',
  samplingFactor: 'a shorter period',
  source: 'the query itself',
};

/** What to use instead of aggregating counts per person. */
const PER_PERSON = 'a HogQLQuery over a subquery that groups by person_id';

/** What to use instead of PostHog's unsupported kinds of queries, by `kind`. */
export const INSTEAD_OF_KINDS: Readonly<Record<string, string>> = {
  ActorsQuery:
    'GET /api/projects/{id}/persons, or a source of kind InsightActorsQuery, FunnelsActorsQuery or StickinessActorsQuery',
  EventsNode: 'an EventsQuery',
  FunnelCorrelationQuery: 'a FunnelsQuery with a breakdown',
  FunnelsActorsQuery: 'an ActorsQuery with it as source',
  GroupsQuery: 'GET /api/projects/{id}/groups',
  InsightActorsQuery: 'an ActorsQuery with it as source',
  PersonsNode: 'GET /api/projects/{id}/persons',
  SavedInsightNode: 'the query of the insight',
  StickinessActorsQuery: 'an ActorsQuery with it as source',
  SessionsTimelineQuery: 'GET /api/projects/{id}/persons/{distinctId}/events',
  WebGoalsQuery: 'a FunnelsQuery',
  WebStatsTableQuery: 'a TrendsQuery with display ActionsTable and a breakdown',
};

/** What to use instead of PostHog's unsupported kinds of series, by `kind`. */
export const INSTEAD_OF_SERIES: Readonly<Record<string, string>> = {
  ActionsNode: 'EventsNode with event and properties',
  DataWarehouseNode: 'EventsNode, after importing its rows as events',
  GroupNode: 'one EventsNode for each event',
};

/** What to use instead of PostHog's unsupported aggregations of a series, by `math`. */
export const INSTEAD_OF_MATHS: Readonly<Record<string, string>> = {
  avg_count_per_actor:
    'hogql with math_hogql count() / count(distinct person_id)',
  first_matching_event_for_user:
    'a HogQLQuery with min(timestamp) grouped by person_id',
  first_time_for_user: 'a HogQLQuery with min(timestamp) grouped by person_id',
  first_time_for_user_with_filters:
    'a HogQLQuery with min(timestamp) grouped by person_id',
  max_count_per_actor: PER_PERSON,
  median_count_per_actor: PER_PERSON,
  min_count_per_actor: PER_PERSON,
  p75_count_per_actor: PER_PERSON,
  p90_count_per_actor: PER_PERSON,
  p95_count_per_actor: PER_PERSON,
  p99_count_per_actor: PER_PERSON,
};

/** What to use instead of PostHog's unsupported filters, by `type`: the owner of the property. */
export const INSTEAD_OF_OWNERS: Readonly<Record<string, string>> = {
  data_warehouse: 'event, after importing its rows as events',
  element: 'hogql with properties.$elements_chain',
  recording: 'event with $session_id',
  session: 'event with a property of events, such as $session_id',
};

/** What to use instead of PostHog's unsupported breakdowns, by type. */
export const INSTEAD_OF_BREAKDOWNS: Readonly<Record<string, string>> = {
  ...INSTEAD_OF_OWNERS,
  cohort: 'filters of type cohort, in a query for each',
};
