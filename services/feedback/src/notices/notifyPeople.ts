import type { PortalClient } from '@slipway/service-kit';
import type { FeedbackKit } from '../config.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type { ReplyStore } from '../storage/ReplyStore.ts';
import type { VoteStore } from '../storage/VoteStore.ts';
import { Notices, portalNotifier } from './Notices.ts';
import { replyNotices } from './replyNotices.ts';
import { senderNotices } from './senderNotices.ts';
import { voteNotices } from './voteNotices.ts';

const NOTICES_EVERY_MS = 2_000;

/**
 * Notifies users through the portal: senders when their feedback is resolved or archived, voters of
 * each status and public note, and participants of replies.
 */
export function notifyPeople(
  kit: FeedbackKit,
  parts: {
    store: FeedbackStore;
    threads: ReplyStore;
    votes: VoteStore;
    portal: PortalClient;
  },
): void {
  const { store, threads, votes, portal } = parts;
  const notices = new Notices({
    sources: [
      senderNotices(store),
      replyNotices(threads, store),
      voteNotices(votes, store),
    ],
    notifier: portalNotifier(portal),
    logger: kit.logger,
    now: kit.now,
  });
  kit.every({
    name: 'Sending notices',
    everyMs: NOTICES_EVERY_MS,
    work: () => notices.send(),
  });
}
