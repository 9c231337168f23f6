import type { Feedback, Source, Status } from '../feedback/Feedback.ts';
import type { Priority, Sentiment } from '../sentiment/sentimentOf.ts';

/**
 * A row of `feedback`; PostgreSQL returns big integers as strings, SQLite returns booleans as
 * numbers.
 */
export interface FeedbackRow {
  id: string;
  rating: number;
  rating_inferred: boolean | number;
  category: string;
  message: string;
  page: string | null;
  component: string | null;
  occurred_at: number | string;
  author: string | null;
  user_name: string | null;
  user_email: string | null;
  anonymous: boolean | number;
  source: string;
  source_key: string | null;
  sentiment: string;
  priority: string;
  status: string;
  created_at: number | string;
  updated_at: number | string;
  screenshot_type: string | null;
  issue_tracker: string | null;
  issue_number: number | null;
  issue_url: string | null;
  issue_title: string | null;
  reply_count: number;
  awaits_reply: boolean | number;
  votes: number;
  voting_title: string | null;
  voting_open: boolean | number;
  voting_since: number | string | null;
  public_note: string | null;
  public_note_at: number | string | null;
  merged_into: string | null;
}

/**
 * Converts a record to a row.
 *
 * @param sourceKey - the message that the record came from; null if there is none.
 */
export function toRow(
  feedback: Feedback,
  sourceKey: string | null,
): FeedbackRow {
  const { sender, issue, voting } = feedback;
  return {
    id: feedback.id,
    rating: feedback.rating,
    rating_inferred: feedback.ratingInferred,
    category: feedback.category,
    message: feedback.message,
    page: feedback.page,
    component: feedback.component,
    occurred_at: feedback.occurredAt,
    author: sender.author,
    user_name: sender.name,
    user_email: sender.email,
    anonymous: sender.anonymous,
    source: feedback.source,
    source_key: sourceKey,
    sentiment: feedback.sentiment,
    priority: feedback.priority,
    status: feedback.status,
    created_at: feedback.createdAt,
    updated_at: feedback.updatedAt,
    screenshot_type: feedback.screenshotType,
    issue_tracker: issue?.tracker ?? null,
    issue_number: issue?.number ?? null,
    issue_url: issue?.url ?? null,
    issue_title: issue?.title ?? null,
    reply_count: feedback.replyCount,
    awaits_reply: feedback.awaitsReply,
    votes: feedback.votes,
    voting_title: voting?.title ?? null,
    voting_open: voting?.isOpen ?? false,
    voting_since: voting?.since ?? null,
    public_note: voting?.note?.text ?? null,
    public_note_at: voting?.note?.at ?? null,
    merged_into: feedback.mergedInto,
  };
}

/**
 * Converts a row of SQLite or PostgreSQL to a record. The record has an issue if the issue number
 * is set.
 */
export function fromRow(row: FeedbackRow): Feedback {
  return {
    id: row.id,
    rating: row.rating,
    ratingInferred: Boolean(row.rating_inferred),
    category: row.category,
    message: row.message,
    page: row.page,
    component: row.component,
    occurredAt: Number(row.occurred_at),
    sender: {
      author: row.author,
      name: row.user_name,
      email: row.user_email,
      anonymous: Boolean(row.anonymous),
    },
    source: row.source as Source,
    sentiment: row.sentiment as Sentiment,
    priority: row.priority as Priority,
    status: row.status as Status,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    screenshotType: row.screenshot_type,
    issue:
      row.issue_number === null
        ? null
        : {
            tracker: row.issue_tracker ?? '',
            number: row.issue_number,
            url: row.issue_url ?? '',
            title: row.issue_title ?? '',
          },
    replyCount: row.reply_count,
    awaitsReply: Boolean(row.awaits_reply),
    votes: row.votes,
    voting:
      row.voting_title === null
        ? null
        : {
            title: row.voting_title,
            isOpen: Boolean(row.voting_open),
            since: Number(row.voting_since),
            note:
              row.public_note === null
                ? null
                : { text: row.public_note, at: Number(row.public_note_at) },
          },
    mergedInto: row.merged_into,
  };
}
