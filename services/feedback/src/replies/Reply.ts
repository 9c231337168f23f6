import { v7 } from 'uuid';
import type { Feedback } from '../feedback/Feedback.ts';

/** A reply in the thread of a record, or an internal note. */
export interface Reply {
  readonly id: string;
  readonly feedbackId: string;
  /** The author's entity reference. */
  readonly author: string;
  readonly authorName: string;
  /** True if the sender of the record wrote it, false if an admin did. */
  readonly isFromSender: boolean;
  /** True for a note that only admins can read. */
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
 * Checks whether the sender of a record can be notified of replies, i.e. is a user of the portal:
 * the sender of anonymous feedback is unknown, and users of chats are not known to the portal.
 */
export function canBeNotified({ sender }: Feedback): boolean {
  return sender.author?.startsWith('user:') ?? false;
}

/**
 * Checks whether a user may reply: the sender may, and admins may if the sender can be notified.
 */
export function mayReply(user: Participant, feedback: Feedback): boolean {
  return isSender(user, feedback) || (user.isAdmin && canBeNotified(feedback));
}

/** Checks whether a user may delete a reply: authors may delete their own, admins any. */
export function mayDelete(user: Participant, { author }: Reply): boolean {
  return user.isAdmin || author === user.id;
}

/** Creates the id of a reply, which cannot be guessed and sorts by creation time. */
export function createReplyId(): string {
  return `rp_${v7()}`;
}
