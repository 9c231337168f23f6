import type { HogqlQuery } from '../api/EventsApi';
import { textLiteral } from '../filters/propertyFilters';

const PERIOD = 'timestamp > now() - interval 30 day';

/** Example queries, by the keys of their labels. */
export const EXAMPLES = {
  events: `SELECT toDate(timestamp) AS day, event, count() AS total
FROM events
WHERE ${PERIOD}
GROUP BY day, event
ORDER BY day DESC, total DESC`,
  pages: `SELECT properties.$pathname AS page, uniq(person_id) AS visitors, count() AS views
FROM events
WHERE event = '$pageview' AND ${PERIOD}
GROUP BY page
ORDER BY visitors DESC
LIMIT 20`,
  conversion: `SELECT
  properties.$referring_domain AS source,
  uniq(person_id) AS visitors,
  uniqIf(person_id, event = 'signed up') AS signups,
  round(100 * signups / visitors, 1) AS percent
FROM events
WHERE ${PERIOD}
GROUP BY source
ORDER BY visitors DESC`,
  averages: `SELECT event, round(avg(total), 1) AS average, max(total) AS most
FROM (
  SELECT toDate(timestamp) AS day, event, count() AS total
  FROM events
  WHERE ${PERIOD}
  GROUP BY day, event
)
GROUP BY event
ORDER BY average DESC`,
} as const;

/** Builds the query of a text; a saved one keeps its filters and values when its text is edited. */
export function sqlQueryOf(
  text: string,
  options: { saved?: HogqlQuery; filterTestAccounts: boolean },
): HogqlQuery {
  const { saved, filterTestAccounts } = options;
  const query: HogqlQuery = saved
    ? { ...saved, query: text }
    : { kind: 'HogQLQuery', query: text };
  return takesFilters(text)
    ? { ...query, filters: { ...query.filters, filterTestAccounts } }
    : query;
}

/** Checks whether a text contains the placeholder for the filters of the page. */
export function takesFilters(text: string): boolean {
  return /\{\s*filters\s*\}/.test(text);
}

/** Formats a property in HogQL: `properties.plan`, or `properties['a b']`. */
export function propertyInSql(name: string, owner = ''): string {
  return /^[A-Za-z_$][\w$]*$/.test(name)
    ? `${owner}properties.${name}`
    : `${owner}properties[${textLiteral(name)}]`;
}

/** A position in a text: its index from 0, and its line and column from 1. */
export interface TextPlace {
  at: number;
  line: number;
  column: number;
}

/**
 * Finds the position in a text that an error message of the service contains; undefined if
 * it contains none.
 */
export function placeIn(message: string, text: string): TextPlace | undefined {
  const [, character] = /\bat character (\d+)[:,]/.exec(message) ?? [];
  const isEnd = message.endsWith('(at its end)');
  if (character === undefined && !isEnd) {
    return undefined;
  }
  const at = isEnd ? text.length : Number(character) - 1;
  const lines = text.slice(0, at).split('\n');
  return { at, line: lines.length, column: lines.at(-1)!.length + 1 };
}
