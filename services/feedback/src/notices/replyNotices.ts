import { canBeNotified } from '../replies/Reply.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type { ReplyStore } from '../storage/ReplyStore.ts';
import type { NoticeSource } from './Notices.ts';
import { excerptOf, scopeOf } from './wording.ts';

/**
 * Creates notices of replies: to the sender, and for the sender's own replies, to the person who
 * last replied.
 */
export function replyNotices(
  replies: ReplyStore,
  feedback: FeedbackStore,
): NoticeSource {
  return {
    queue: replies.notices,
    async compose(replyId, since) {
      const reply = await replies.find(replyId);
      if (!reply || reply.createdAt < since) {
        return undefined;
      }
      const record = await feedback.find(reply.feedbackId);
      if (!record) {
        return undefined;
      }
      const thread = await replies.list(record.id, { withInternal: false });
      if (thread.at(-1)?.id !== replyId) {
        // A later reply has its own notice, or its author has read this one.
        return undefined;
      }
      const scope = scopeOf(record, `feedback:${record.id}:replies`);
      if (!reply.isFromSender) {
        const user = canBeNotified(record) ? record.sender.author : null;
        return user === null
          ? undefined
          : {
              user,
              title: 'Reply to your feedback',
              description: excerptOf(reply.message),
              link: `/feedback/mine/${record.id}`,
              scope,
            };
      }
      const last = thread.findLast(each => !each.isFromSender);
      return (
        last && {
          user: last.author,
          title: 'Answer to your reply',
          // Not the reply: the recipient may no longer be an admin.
          description: excerptOf(record.message),
          link: `/feedback/triage/${record.id}`,
          scope,
        }
      );
    },
  };
}
