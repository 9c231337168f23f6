import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';

/** The columns of {@link plainLine}, in their order; the engine makes the others of them. */
export const PLAIN_COLUMNS = [
  'project_id',
  'uuid',
  'event',
  'distinct_id',
  'timestamp',
  'created_at',
  'properties',
] as const;

/**
 * How the engine makes the two maps of an event's properties, which are read without
 * parsing JSON: each property as text, and those that are numbers as numbers. They are
 * what {@link eventLine} makes of them, for properties that {@link isPlain}.
 */
export const MAP_DEFAULTS = {
  texts: `CAST(arrayMap(p -> (p.1, if(startsWith(p.2, '"'), JSONExtractString(p.2), p.2)), arrayFilter(p -> p.2 != 'null', JSONExtractKeysAndValuesRaw(properties))), 'Map(LowCardinality(String), String)')`,
  numbers: `CAST(arrayMap(p -> (p.1, toFloat64(p.2)), arrayFilter(p -> match(p.2, '^[-0-9]'), JSONExtractKeysAndValuesRaw(properties))), 'Map(LowCardinality(String), Float64)')`,
} as const;

/**
 * Numbers that the engine writes in another way than JavaScript, or cannot read, and escapes
 * that it may write in another way within objects.
 */
const ODD = /[[,:]-?(?:\d{16}|[\d.]+e|0\.0000)|\\u/;

/** Tells whether the engine makes the same maps of an event's properties as {@link eventLine}. */
export function isPlain({ properties }: AnalyticsEvent): boolean {
  return !ODD.test(properties);
}

/** An event as a line of TabSeparated, without the maps. */
export function plainLine(event: AnalyticsEvent): string {
  return [
    event.projectId,
    event.uuid,
    escaped(event.event),
    escaped(event.distinctId),
    instant(event.timestamp),
    instant(event.createdAt),
    escaped(event.properties),
  ].join('\t');
}

/** An event as a line of JSONEachRow, with its maps. */
export function eventLine(event: AnalyticsEvent): string {
  const texts: Record<string, string> = Object.create(null);
  const numbers: Record<string, number> = Object.create(null);
  const properties: Record<string, unknown> = JSON.parse(event.properties);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'number') {
      numbers[name] = value;
    }
    if (value !== null) {
      texts[name] = typeof value === 'string' ? value : JSON.stringify(value);
    }
  }
  return JSON.stringify({
    project_id: event.projectId,
    uuid: event.uuid,
    event: event.event,
    distinct_id: event.distinctId,
    timestamp: instant(event.timestamp),
    created_at: instant(event.createdAt),
    properties: event.properties,
    texts,
    numbers,
  });
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escaped(text: string): string {
  return /[\\\t\n\r]/.test(text)
    ? text.replace(/[\\\t\n\r]/g, character => ESCAPES[character])
    : text;
}

/** `2026-11-21 10:00:00.000`: numbers of seconds are read only from 2001-09-09 on. */
function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -1).replace('T', ' ');
}
