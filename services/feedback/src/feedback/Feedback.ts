import { v7 } from 'uuid';
import type { Priority, Sentiment } from '../sentiment/sentimentOf.ts';

export const STATUSES = [
  'new',
  'validated',
  'in_progress',
  'resolved',
  'archived',
] as const;
/** How far a record is; a record may move from any status to any other. */
export type Status = (typeof STATUSES)[number];

/** The way on which feedback came in. */
export type Source = 'api' | 'slack' | 'mattermost' | 'chat';

/** The issue that a record became. */
interface IssueReference {
  readonly tracker: string;
  readonly number: number;
  readonly url: string;
  readonly title: string;
}

/** What is known of the sender of a record. */
export interface Sender {
  /**
   * The sender, as a session or a chat platform vouches for: an entity reference, or
   * `<platform>:<team>:<user>`. Null where the name is only claimed, or there is none.
   */
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
  /** True where the rating is guessed from the words, as for messages of chats. */
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
  /** The media type of the screenshot; null where there is none. */
  readonly screenshotType: string | null;
  readonly issue: IssueReference | null;
}

/** A change of the status of a record. */
export interface StatusChange {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The one who made the change: an entity reference, `automation` or `tracker`. */
  readonly actor: string;
  readonly from: Status;
  readonly to: Status;
  readonly notes: string;
}

/** Makes the id of a record, which nobody guesses and which sorts by creation. */
export function createFeedbackId(): string {
  return `fb_${v7()}`;
}
