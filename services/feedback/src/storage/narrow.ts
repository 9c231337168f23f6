import { contains } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { OPEN_STATUSES, type Status } from '../feedback/Feedback.ts';
import type { TimeSpan } from '../periods/TimeSpan.ts';

/** The filter of a list of feedback. */
export interface FeedbackFilter {
  readonly status?: Status;
  readonly category?: string;
  readonly rating?: number;
  readonly sentiment?: string;
  /** Part of the message, case-insensitive. */
  readonly text?: string;
  readonly author?: string;
  /** Selects the records that await a reply, or those that do not. */
  readonly awaitsReply?: boolean;
  /** Selects the records that are open for voting, or those that are not. */
  readonly isOpenForVoting?: boolean;
  /** Part of the voting title, case-insensitive. */
  readonly votingTitle?: string;
  /** A user who has voted for the records. */
  readonly voter?: string;
  /** Names and references of components, in lower case; selects records about any of them. */
  readonly components?: readonly string[];
  readonly span?: Partial<TimeSpan>;
}

/** Applies a filter to a query of `feedback`. */
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
    awaitsReply,
    isOpenForVoting,
    votingTitle,
    voter,
    components,
  } = filter;
  for (const [column, value] of Object.entries({
    status,
    category,
    rating,
    sentiment,
    author,
    awaits_reply: awaitsReply,
  })) {
    if (value !== undefined) {
      query.where(column, value);
    }
  }
  if (components) {
    whereAbout(query, components);
  }
  if (span.start !== undefined) {
    query.where('created_at', '>=', span.start);
  }
  if (span.end !== undefined) {
    query.where('created_at', '<', span.end);
  }
  if (text) {
    query.whereRaw(...contains('message', text));
  }
  if (isOpenForVoting !== undefined) {
    query[isOpenForVoting ? 'where' : 'whereNot'](open =>
      open
        .where({ voting_open: true, merged_into: null })
        .whereIn('status', OPEN_STATUSES),
    );
  }
  if (votingTitle) {
    query.whereRaw(...contains('voting_title', votingTitle));
  }
  if (voter !== undefined) {
    query.whereIn('id', voted =>
      voted.from('feedback_votes').where({ voter }).select('feedback_id'),
    );
  }
  return query;
}

/** Selects the feedback about any of the components, given by lower-case names and references. */
export function whereAbout<Q extends Knex.QueryBuilder>(
  query: Q,
  components: readonly string[],
): Q {
  const wanted = components.map(() => '?').join(', ') || 'NULL';
  query.whereRaw(`LOWER(component) IN (${wanted})`, [...components]);
  return query;
}
