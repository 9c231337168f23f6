import type { Feedback } from '../feedback/Feedback.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type { NoticeSource } from './Notices.ts';
import { excerptOf, scopeOf } from './wording.ts';

/** Creates the notices to senders whose feedback is resolved or archived. */
export function senderNotices(feedback: FeedbackStore): NoticeSource {
  return {
    queue: feedback.notices,
    async compose(id, since) {
      const found = await feedback.find(id);
      const user = found?.sender.author;
      if (!user || found.updatedAt < since) {
        return undefined;
      }
      const title = await titleOf(found, feedback);
      return title === undefined
        ? undefined
        : {
            user,
            title,
            description: excerptOf(found.message),
            link: `/feedback/mine/${id}`,
            scope: scopeOf(found, `feedback:${id}`),
          };
    },
  };
}

/** Describes the outcome; undefined if the record was reopened in the meantime. */
async function titleOf(
  { id, status, mergedInto }: Feedback,
  feedback: FeedbackStore,
): Promise<string | undefined> {
  if (status !== 'resolved' && status !== 'archived') {
    return undefined;
  }
  const changes = await feedback.history(id);
  const last = changes.findLast(({ from, to }) => from !== to);
  // It may have been archived before this notice could be sent.
  if (status === 'resolved' || last?.from === 'resolved') {
    return 'Your feedback is resolved';
  }
  return mergedInto === null
    ? 'Your feedback is archived'
    : 'Your feedback is merged with similar feedback';
}
