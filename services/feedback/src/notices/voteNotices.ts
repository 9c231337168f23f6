import {
  type Feedback,
  OPEN_STATUSES,
  type Status,
} from '../feedback/Feedback.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type { VoteStore } from '../storage/VoteStore.ts';
import type { NoticeSource, Notification } from './Notices.ts';
import { excerptOf } from './wording.ts';

const TITLES: Readonly<Record<Status, string>> = {
  new: 'Feedback you voted for is new again',
  validated: 'Feedback you voted for is validated',
  in_progress: 'Feedback you voted for is in progress',
  resolved: 'Feedback you voted for is resolved',
  archived: 'Feedback you voted for is archived',
};

/**
 * Creates the notices about the status and the public notes of feedback, to its voters until they
 * withdraw their vote.
 */
export function voteNotices(
  votes: VoteStore,
  feedback: FeedbackStore,
): NoticeSource {
  return {
    queue: feedback.voteNotices,
    async compose(id, since) {
      const [voteId, status, writtenAt] = id.split(':');
      const vote = await votes.find(voteId);
      const found = vote && (await feedback.find(vote.feedbackId));
      if (vote && found && status === 'note') {
        const at = Number(writtenAt);
        return noteNotice(found, { user: vote.voter, at, since });
      }
      if (!vote || !found?.voting || found.updatedAt < since) {
        return undefined;
      }
      if (found.status !== status) {
        // The current status has its own notice.
        return undefined;
      }
      if (
        !OPEN_STATUSES.includes(found.status) &&
        vote.voter === found.sender.author
      ) {
        // Senders get their own notice.
        return undefined;
      }
      return {
        user: vote.voter,
        title: TITLES[found.status],
        // Neither the message nor the component, which the sender disclosed only to admins.
        description: excerptOf(found.voting.title),
        link: `/feedback/voting/${found.id}`,
        scope: `feedback:${found.id}:votes`,
      };
    },
  };
}

/**
 * Creates the notice about the public note that was written at the given time. Returns undefined if
 * the note has been removed or replaced, or is older than `since`.
 */
function noteNotice(
  { id, voting }: Feedback,
  { user, at, since }: { user: string; at: number; since: number },
): Notification | undefined {
  if (voting?.note?.at !== at || at < since) {
    return undefined;
  }
  return {
    user,
    title: 'Public note on feedback you voted for',
    description: `${excerptOf(voting.title)}: ${excerptOf(voting.note.text)}`,
    link: `/feedback/voting/${id}`,
    scope: `feedback:${id}:note`,
  };
}
