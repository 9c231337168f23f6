import type { FeedbackAccess } from '../access.ts';
import type { FeedbackKit } from '../config.ts';
import { ORDER_KEPT_MS } from '../feedback/lists.ts';
import { FeedbackMerge } from '../storage/FeedbackMerge.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import { VoteStore } from '../storage/VoteStore.ts';
import { addVoteRoutes } from './routes.ts';
import { VoteDesk } from './VoteDesk.ts';

const PURGE_EVERY_MS = 600_000;

/** Adds the routes of votes, and periodically deletes withdrawn votes. */
export function openVotes(
  kit: FeedbackKit,
  { access, store }: { access: FeedbackAccess; store: FeedbackStore },
): { votes: VoteStore; merges: FeedbackMerge } {
  const { app, database, now } = kit;
  const votes = new VoteStore({ database });
  const merges = new FeedbackMerge({ database, feedback: store, votes });
  const desk = new VoteDesk({ feedback: store, votes, merges, now });
  addVoteRoutes(app, { access, desk, feedback: store, votes, now });
  kit.every({
    name: 'Deleting withdrawn votes',
    everyMs: PURGE_EVERY_MS,
    work: () => votes.purge(now() - ORDER_KEPT_MS),
  });
  return { votes, merges };
}
