import { textLiteral } from '../filters/propertyFilters';

/**
 * The arguments in HogQL that replace ids: numbers, and texts of 16 or more hexadecimal
 * digits and hyphens, such as UUIDs.
 */
const IDS = "'/([0-9]+|[0-9a-fA-F-]{16,})/', '/:id/'";

/**
 * Returns an expression for a path whose ids are replaced, so that `/orders/1` and
 * `/orders/2` are one page. Consecutive ids share a slash, hence the second pass.
 */
function withoutIds(path: string): string {
  const once = `replaceRegexpAll(concat(${path}, '/'), ${IDS})`;
  return `replaceRegexpOne(replaceRegexpAll(${once}, ${IDS}), '/$', '')`;
}

/** The expressions that distinguish sources, by kind. */
const SOURCES = {
  referrer: "coalesce(properties.$referring_domain, '$direct')",
  utm_source: 'properties.utm_source',
  utm_medium: 'properties.utm_medium',
  utm_campaign: 'properties.utm_campaign',
} as const;

/** The kinds of sources that a user can choose from. */
export const SOURCE_KINDS = Object.keys(SOURCES) as (keyof typeof SOURCES)[];

/** The lists of the page. */
export const LISTS = [
  'sources',
  'pages',
  'countries',
  'devices',
  'browsers',
  'systems',
] as const;
export type ListId = (typeof LISTS)[number];

const EXPRESSIONS = {
  pages: withoutIds(
    'coalesce(properties.$pathname, path(properties.$current_url))',
  ),
  // Senders set this property: the service does not look up IP addresses.
  countries: 'properties.$geoip_country_code',
  devices: 'properties.$device_type',
  browsers: 'properties.$browser',
  systems: 'properties.$os',
} as const;

/** The values in the URL; a list with an empty text does not filter. */
export type WebValues = Record<
  ListId | 'sourceKind' | 'period' | 'from' | 'to',
  string
>;

export const DEFAULTS: WebValues = {
  period: '-7d',
  from: '',
  to: '',
  sourceKind: 'referrer',
  sources: '',
  pages: '',
  countries: '',
  devices: '',
  browsers: '',
  systems: '',
};

/** Returns the kind of sources that is shown. */
export function sourceKindOf({ sourceKind }: WebValues): keyof typeof SOURCES {
  return SOURCE_KINDS.find(kind => kind === sourceKind) ?? 'referrer';
}

/** Returns the expression by which a list groups events. */
export function groupingOf(list: ListId, values: WebValues): string {
  return list === 'sources' ? SOURCES[sourceKindOf(values)] : EXPRESSIONS[list];
}

const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region' });

/**
 * Returns the display name of a value.
 *
 * @param direct - the name of visits without a source.
 */
export function nameOf(list: ListId, value: string, direct: string): string {
  if (list === 'countries') {
    try {
      return COUNTRIES.of(value.toUpperCase()) ?? value;
    } catch {
      // Not a country code.
      return value;
    }
  }
  return value === '$direct' ? direct : value;
}

/** Returns the conditions for events that match all chosen values. */
export function conditionsOf(values: WebValues): string[] {
  return LISTS.filter(list => values[list] !== '').map(
    list => `${groupingOf(list, values)} = ${textLiteral(values[list])}`,
  );
}

const UNITS: Readonly<Record<string, string>> = {
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  q: 'quarter',
  y: 'year',
};

/**
 * Returns the condition for a period as in insights: in whole days, or in whole hours.
 * Returns none for `all`, or if the period is not a number of hours, days, weeks, months,
 * quarters or years.
 */
export function sinceStartOf({ period, from, to }: WebValues): string[] {
  if (from) {
    return [
      `toDate(timestamp) >= toDate(${textLiteral(from)})`,
      ...(to ? [`toDate(timestamp) <= toDate(${textLiteral(to)})`] : []),
    ];
  }
  const [, count, unit] = /^-(\d{1,6})([hdwmqy])$/.exec(period) ?? [];
  if (unit === undefined) {
    return [];
  }
  const start = unit === 'h' ? 'toStartOfHour' : 'toStartOfDay';
  return [`timestamp >= ${start}(now() - interval ${count} ${UNITS[unit]})`];
}
