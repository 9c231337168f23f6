import { createHash } from 'node:crypto';
import { isoOf } from '@slipway/entity-contract';
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  type Outbox,
} from '@slipway/service-kit';
import type { Feedback } from '../feedback/Feedback.ts';
import type { Profiles } from '../people/profiles.ts';
import type { ReplyStore } from '../storage/ReplyStore.ts';
import {
  createReplyId,
  isSender,
  mayDelete,
  mayReply,
  type Participant,
  type Reply,
} from './Reply.ts';

/** The name of the webhook event for a new reply. */
export const REPLY_ADDED = 'feedback.reply_added';

/**
 * Maximum number of replies of the sender, and of replies and notes of admins. All of them are
 * always read together. The limits are separate, so that senders neither learn how many notes there
 * are nor keep admins from writing more.
 */
const MOST_OF_SIDE = 100;

/** Dependencies of {@link ReplyDesk}. */
interface ReplyDeskOptions {
  replies: ReplyStore;
  profiles: Profiles;
  outbox: Outbox;
  now: () => number;
}

/** Lets the sender of a record and admins talk to each other. */
export class ReplyDesk {
  readonly #options: ReplyDeskOptions;

  constructor(options: ReplyDeskOptions) {
    this.#options = options;
  }

  /** Returns the thread of a record, oldest first; internal notes only for admins. */
  read(
    { id }: Feedback,
    { isAdmin }: Pick<Participant, 'isAdmin'>,
  ): Promise<Reply[]> {
    return this.#options.replies.list(id, { withInternal: isAdmin });
  }

  /**
   * Adds a reply or an internal note.
   *
   * @param draft.idempotencyKey - identifies the user's request; repeating the request adds
   *   nothing.
   * @throws ForbiddenError if the user neither sent the record nor may triage, or adds a note
   *   without being allowed to triage.
   * @throws ConflictError if the sender cannot be notified, the thread is full, or the key was used
   *   for another reply.
   * @throws NotFoundError if the record was deleted in the meantime.
   */
  async add(
    feedback: Feedback,
    draft: { message: string; isInternal: boolean; idempotencyKey?: string },
    user: Participant,
  ): Promise<Reply> {
    const { replies, profiles, outbox, now } = this.#options;
    const { message, isInternal, idempotencyKey } = draft;
    assertMayTakePart(user, feedback);
    if (isInternal && !user.isAdmin) {
      throw new ForbiddenError();
    }
    if (!isInternal && !mayReply(user, feedback)) {
      throw new ConflictError(
        'The sender of this feedback cannot be notified of a reply',
      );
    }
    const written: Reply = {
      id: createReplyId(),
      feedbackId: feedback.id,
      author: user.id,
      authorName: (await profiles.of(user.id)).name,
      isFromSender: !isInternal && isSender(user, feedback),
      isInternal,
      message,
      createdAt: now(),
    };
    const added = await replies.add(written, {
      most: MOST_OF_SIDE,
      requestKey:
        idempotencyKey === undefined
          ? null
          : keyOf([feedback.id, user.id, idempotencyKey]),
      announce: (trx, reply) =>
        outbox.enqueue(trx, replyAddedEvent(feedback, reply)),
    });
    if (added === 'missing') {
      throw new NotFoundError('Feedback not found');
    }
    if (added === 'full') {
      throw new ConflictError(
        written.isFromSender
          ? `Feedback can have at most ${MOST_OF_SIDE} replies of its sender`
          : `Feedback can have at most ${MOST_OF_SIDE} replies and notes of admins`,
      );
    }
    if (added.message !== message || added.isInternal !== isInternal) {
      throw new ConflictError(
        'The idempotency_key was used for another reply to this feedback',
      );
    }
    outbox.wake();
    return added;
  }

  /**
   * Deletes a reply or a note.
   *
   * @throws ForbiddenError if the user may not read the thread, or is neither the author nor an
   *   admin.
   * @throws NotFoundError if there is no such reply, or the user may not see it.
   */
  async delete(
    feedback: Feedback,
    replyId: string,
    user: Participant,
  ): Promise<void> {
    const { replies } = this.#options;
    assertMayTakePart(user, feedback);
    const reply = await replies.find(replyId);
    if (
      reply?.feedbackId !== feedback.id ||
      (reply.isInternal && !user.isAdmin)
    ) {
      throw new NotFoundError('Reply not found');
    }
    if (!mayDelete(user, reply)) {
      throw new ForbiddenError();
    }
    await replies.delete(reply);
  }
}

/** Returns a key of fixed length, which differs for every combination of parts. */
function keyOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function assertMayTakePart(user: Participant, feedback: Feedback): void {
  if (!user.isAdmin && !isSender(user, feedback)) {
    throw new ForbiddenError();
  }
}

/** Creates the payload of the webhook for a new reply. It does not name the author. */
function replyAddedEvent(
  { id, rating, category, message }: Feedback,
  reply: Reply,
): { name: string; payload: object } {
  return {
    name: REPLY_ADDED,
    payload: {
      event: REPLY_ADDED,
      timestamp: isoOf(reply.createdAt),
      feedback: { id, rating, category, message },
      reply: {
        id: reply.id,
        message: reply.message,
        from_sender: reply.isFromSender,
      },
    },
  };
}
