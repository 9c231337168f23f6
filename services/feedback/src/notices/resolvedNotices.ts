import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type { NoticeSource } from './Notices.ts';
import { excerptOf, scopeOf } from './wording.ts';

/** Creates the notices to senders whose feedback is resolved. */
export function resolvedNotices(feedback: FeedbackStore): NoticeSource {
  return {
    queue: feedback.notices,
    async compose(id, since) {
      const found = await feedback.find(id);
      const user = found?.sender.author;
      // If it is no longer resolved, it was reopened in the meantime.
      if (!user || found?.status !== 'resolved' || found.updatedAt < since) {
        return undefined;
      }
      return {
        user,
        title: 'Your feedback is resolved',
        description: excerptOf(found.message),
        link: `/feedback/mine/${id}`,
        scope: scopeOf(found, `feedback:${id}`),
      };
    },
  };
}
