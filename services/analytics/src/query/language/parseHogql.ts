import {
  type HogqlOptions,
  type HogqlQuery,
  QueryReader,
} from './QueryReader.ts';
import { TokenReader } from './TokenReader.ts';

const LONGEST = 20_000;
const DEFAULT_ROWS = 100;

/**
 * Parses `SELECT … FROM events WHERE … GROUP BY … HAVING … ORDER BY … LIMIT …`; a
 * subquery in brackets or from WITH may replace `events`.
 * @param options.source - what `events` refers to.
 * @throws InvalidRequestError if the query has another form.
 */
export function parseHogql(text: string, options: HogqlOptions): HogqlQuery {
  const reader = new TokenReader(text, 'query.query', LONGEST);
  const query = new QueryReader(reader, options).query(0, new Map());
  if (reader.isWord('union')) {
    throw reader.fault('has UNION, which is not supported: ask twice');
  }
  reader.expectEnd();
  const { limit = DEFAULT_ROWS } = query.select;
  return { ...query, select: { ...query.select, limit } };
}
