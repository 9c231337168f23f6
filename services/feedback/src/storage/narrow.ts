import type { Knex } from 'knex';
import type { Status } from '../feedback/Feedback.ts';
import type { TimeSpan } from '../periods/TimeSpan.ts';

/** The conditions that listed feedback fulfils. */
export interface FeedbackFilter {
  readonly status?: Status;
  readonly category?: string;
  readonly rating?: number;
  readonly sentiment?: string;
  /** A part of the message, in upper or lower case. */
  readonly text?: string;
  readonly author?: string;
  readonly span?: Partial<TimeSpan>;
}

/** Narrows a query of `feedback` to a filter. */
export function narrow(
  query: Knex.QueryBuilder,
  filter: FeedbackFilter,
): Knex.QueryBuilder {
  const {
    text,
    span = {},
    status,
    category,
    rating,
    sentiment,
    author,
  } = filter;
  for (const [column, value] of Object.entries({
    status,
    category,
    rating,
    sentiment,
    author,
  })) {
    if (value !== undefined) {
      query.where(column, value);
    }
  }
  if (span.start !== undefined) {
    query.where('created_at', '>=', span.start);
  }
  if (span.end !== undefined) {
    query.where('created_at', '<', span.end);
  }
  if (text) {
    // Both sides by the database: SQLite knows no case but that of ASCII.
    query.whereRaw("LOWER(message) LIKE LOWER(?) ESCAPE '!'", [
      `%${text.replace(/[%_!]/g, '!$&')}%`,
    ]);
  }
  return query;
}
