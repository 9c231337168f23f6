import { canBeNotified } from '../replies/Reply.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type { ReplyStore } from '../storage/ReplyStore.ts';
import type { NoticeSource } from './Notices.ts';
import { excerptOf, scopeOf } from './wording.ts';

/**
 * Writes the notices of replies: to the sender, and of the sender's answers to the person who
 * replied last.
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
        // Either there is a notice of the later one, or its author has read this one.
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
          // Not the answer: its receiver may no longer be allowed to triage.
          description: excerptOf(record.message),
          link: `/feedback/triage/${record.id}`,
          scope,
        }
      );
    },
  };
}
