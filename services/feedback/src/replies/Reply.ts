import { v7 } from 'uuid';
import type { Feedback } from '../feedback/Feedback.ts';

/** An answer in the thread of a record, or an internal note. */
export interface Reply {
  readonly id: string;
  readonly feedbackId: string;
  /** The author's entity reference. */
  readonly author: string;
  readonly authorName: string;
  /** True if the sender of the record wrote it, false for those who triage. */
  readonly isFromSender: boolean;
  /** True for a note that only those who triage can read. */
  readonly isInternal: boolean;
  readonly message: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

/** A user of the portal, as seen by the thread of a record. */
export interface Participant {
  /** The user's entity reference. */
  readonly id: string;
  /** True if the user may triage. */
  readonly isAdmin: boolean;
}

/** Checks whether a user sent a record. */
export function isSender(
  { id }: { id: string },
  { sender }: Feedback,
): boolean {
  return sender.author === id;
}

/**
 * Checks whether the sender of a record is a user of the portal, who can be notified of replies:
 * the sender of anonymous feedback is unknown, and the portal does not know the users of chats.
 */
export function canBeNotified({ sender }: Feedback): boolean {
  return sender.author?.startsWith('user:') ?? false;
}

/**
 * Checks whether a user may reply: the sender, and those who triage if the sender can be notified.
 */
export function mayReply(user: Participant, feedback: Feedback): boolean {
  return isSender(user, feedback) || (user.isAdmin && canBeNotified(feedback));
}

/** Checks whether a user may delete a reply: their own, and any for those who triage. */
export function mayDelete(user: Participant, { author }: Reply): boolean {
  return user.isAdmin || author === user.id;
}

/** Creates the id of a reply, which cannot be guessed and sorts by creation time. */
export function createReplyId(): string {
  return `rp_${v7()}`;
}
