import type { Priority } from '../sentiment/priorityOf.ts';
import type { Sentiment } from '../sentiment/sentimentOf.ts';

export const STATUSES = [
  'new',
  'validated',
  'in_progress',
  'resolved',
  'archived',
] as const;
/** How far a record is; any may follow any. */
export type Status = (typeof STATUSES)[number];

/** Where feedback came in. */
export type Source = 'api' | 'slack' | 'mattermost' | 'chat';

/** The issue that a record became. */
export interface IssueReference {
  readonly tracker: string;
  readonly number: number;
  readonly url: string;
  readonly title: string;
}

/** Who sent something, as far as is known. */
export interface Sender {
  /** Vouched for: an entity reference, or `<platform>:<team>:<user>` of a chat. */
  readonly author: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly anonymous: boolean;
}

/** One piece of feedback. Times are milliseconds since the Unix epoch. */
export interface Feedback {
  readonly id: string;
  /** 1 to 5. */
  readonly rating: number;
  /** Whether the rating is a guess from the words, as with chats. */
  readonly ratingInferred: boolean;
  readonly category: string;
  readonly message: string;
  readonly page: string | null;
  readonly component: string | null;
  readonly occurredAt: number;
  readonly sender: Sender;
  readonly source: Source;
  readonly sentiment: Sentiment;
  readonly priority: Priority;
  readonly status: Status;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Media type of its screenshot. */
  readonly screenshotType: string | null;
  readonly issue: IssueReference | null;
}

/** One move of a record. */
export interface StatusChange {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Who made it: an entity reference, `automation` or `tracker`. */
  readonly actor: string;
  readonly from: Status;
  readonly to: Status;
  readonly notes: string;
}
