import { v7 } from 'uuid';
import type { Priority, Sentiment } from '../sentiment/sentimentOf.ts';

export const STATUSES = [
  'new',
  'validated',
  'in_progress',
  'resolved',
  'archived',
] as const;
/** The status of a record; it may change from any status to any other. */
export type Status = (typeof STATUSES)[number];

/** The statuses of records that are neither resolved nor archived. */
export const OPEN_STATUSES: readonly Status[] = [
  'new',
  'validated',
  'in_progress',
];

/** Channel through which feedback was submitted. */
export type Source = 'api' | 'slack' | 'mattermost' | 'chat';

/** The issue that was created for a record. */
interface IssueReference {
  readonly tracker: string;
  readonly number: number;
  readonly url: string;
  readonly title: string;
}

/** The sender of a record. */
export interface Sender {
  /**
   * The sender, as authenticated by a session or a chat platform: an entity reference, or
   * `<platform>:<team>:<user>`. Null if the name is only claimed, or there is none.
   */
  readonly author: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly anonymous: boolean;
}

/** A note for everyone, written by an admin, e.g. about plans. */
export interface PublicNote {
  readonly text: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** The part of a record that every user may see once an admin has opened it for voting. */
export interface Voting {
  /** The wish in an admin's words, because the sender's are private. */
  readonly title: string;
  /** False if it was closed again; only its voters and admins may then see the title. */
  readonly isOpen: boolean;
  /** When it was last opened, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** Null if there is none. */
  readonly note: PublicNote | null;
}

/** One piece of feedback. Times are milliseconds since the Unix epoch. */
export interface Feedback {
  readonly id: string;
  /** 1 to 5. */
  readonly rating: number;
  /** True if the rating was inferred from the message, as for chat messages. */
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
  /** The media type of the screenshot; null if there is none. */
  readonly screenshotType: string | null;
  readonly issue: IssueReference | null;
  /** The number of replies, without internal notes. */
  readonly replyCount: number;
  /** True if the last reply is the sender's, and no admin has changed the status since. */
  readonly awaitsReply: boolean;
  /** The number of users who voted for it. */
  readonly votes: number;
  /** Null if it was never open for voting. */
  readonly voting: Voting | null;
  /** The id of the record that it is a duplicate of; null if it is not a duplicate. */
  readonly mergedInto: string | null;
}

/** Checks whether users can vote for a record. */
export function isOpenForVoting(feedback: Feedback): boolean {
  const { voting, status, mergedInto } = feedback;
  return (
    voting !== null &&
    voting.isOpen &&
    mergedInto === null &&
    OPEN_STATUSES.includes(status)
  );
}

/**
 * Returns the public note after a change; null if there is none. If the text stays the same, the note
 * keeps its time.
 *
 * @param change.note - the new text; an empty one removes the note, undefined leaves it unchanged.
 */
export function noteAfter(
  before: PublicNote | null,
  { note: text, at }: { note?: string; at: number },
): PublicNote | null {
  if (text === undefined || text === before?.text) {
    return before;
  }
  return text === '' ? null : { text, at };
}

/** The actors of automatic status changes. */
export const MACHINES = {
  automation: 'automation',
  tracker: 'tracker',
} as const;

/** A change of the status of a record. */
export interface StatusChange {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The author of the change: an entity reference, `automation` or `tracker`. */
  readonly actor: string;
  readonly from: Status;
  readonly to: Status;
  readonly notes: string;
}

/** Creates the id of a record, which cannot be guessed and sorts by creation time. */
export function createFeedbackId(): string {
  return `fb_${v7()}`;
}
