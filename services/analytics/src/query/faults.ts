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
