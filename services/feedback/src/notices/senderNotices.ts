import { OPEN_STATUSES } from '../feedback/Feedback.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import { noticeOf } from '../storage/tellSender.ts';
import type { NoticeSource } from './Notices.ts';
import { excerptOf, scopeOf } from './wording.ts';

/** Creates the notices to senders whose feedback is resolved or archived. */
export function senderNotices(feedback: FeedbackStore): NoticeSource {
  return {
    queue: feedback.notices,
    async compose(itemId, since) {
      const { id, isArchived } = noticeOf(itemId);
      const found = await feedback.find(id);
      const user = found?.sender.author;
      if (!user || found.updatedAt < since) {
        return undefined;
      }
      const isStillTrue = isArchived
        ? found.status === 'archived'
        : // It may have been archived before this notice could be sent.
          !OPEN_STATUSES.includes(found.status);
      return isStillTrue
        ? {
            user,
            title: isArchived
              ? archivedTitle(found.mergedInto)
              : 'Your feedback is resolved',
            description: excerptOf(found.message),
            link: `/feedback/mine/${id}`,
            scope: scopeOf(found, `feedback:${id}`),
          }
        : undefined;
    },
  };
}

function archivedTitle(mergedInto: string | null): string {
  return mergedInto === null
    ? 'Your feedback is archived'
    : 'Your feedback is merged with similar feedback';
}
