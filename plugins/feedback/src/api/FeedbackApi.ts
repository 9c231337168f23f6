import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';
import type {
  AutomationResult,
  Ballot,
  BallotFilter,
  Feedback,
  FeedbackOptions,
  FeedbackSummary,
  Issue,
  PageOf,
  Receipt,
  ReplyDraft,
  Statistics,
  StatusMove,
  Submission,
  TriageFilter,
  VotedPage,
  Voter,
} from './Feedback';

/**
 * Calls the feedback service as the signed-in user. Every method rejects with a `ResponseError`
 * if the response is not 2xx, and with a `TypeError` if there is no response.
 */
export interface FeedbackApi {
  getOptions(options?: CallOptions): Promise<FeedbackOptions>;
  /** Submits feedback; it is stored without its screenshot if there is no space for that. */
  submit(submission: Submission): Promise<Receipt>;
  /**
   * Lists the user's feedback, newest first. If an entity reference is given, lists only feedback
   * about that component, or about the components of that system or group.
   */
  getMine(
    query: { page: number; component?: string },
    options?: CallOptions,
  ): Promise<PageOf<Feedback>>;
  /**
   * Lists all feedback; fails with 403 for users who may not triage.
   *
   * @param filter.votesUntil - `votesUntil` of an earlier page, so that the order does not change.
   */
  list(
    filter: Partial<TriageFilter> & { votesUntil?: string },
    page: number,
    options?: CallOptions,
  ): Promise<VotedPage<FeedbackSummary>>;
  get(id: string, options?: CallOptions): Promise<Feedback>;
  /**
   * Downloads a screenshot.
   *
   * @returns a data URL.
   */
  getScreenshot(id: string, options?: CallOptions): Promise<string>;
  changeStatus(id: string, change: StatusMove): Promise<void>;
  /** Adds a reply to feedback, or an internal note. */
  addReply(
    id: string,
    reply: ReplyDraft & {
      /** Identifies the reply, so that sending it again does not add it twice. */
      idempotencyKey: string;
    },
  ): Promise<void>;
  deleteReply(id: string, replyId: string): Promise<void>;
  /** Deletes feedback. Admins can delete any, other users their own as long as it is new. */
  delete(id: string): Promise<void>;
  /** Lists the feedback that is open for voting, or that the user has voted for. */
  listBallots(
    filter: Partial<BallotFilter> & { votesUntil?: string },
    page: { number: number; size?: number },
    options?: CallOptions,
  ): Promise<VotedPage<Ballot>>;
  getBallot(id: string, options?: CallOptions): Promise<Ballot>;
  /** Adds the user's vote to feedback, or withdraws it. */
  setVote(id: string, hasVoted: boolean): Promise<void>;
  /** Opens feedback for voting, or changes its title. */
  openVoting(id: string, title: string): Promise<void>;
  /**
   * Changes the public note of feedback. Fails unless the feedback is open for voting, and if
   * someone else has changed the note in the meantime.
   *
   * @param note.text - the new text; an empty one removes the note.
   * @param note.seen - the note that the user has seen; empty if there was none.
   */
  setPublicNote(
    id: string,
    note: { text: string; seen: string },
  ): Promise<void>;
  closeVoting(id: string): Promise<void>;
  /** Lists the voters of feedback, newest vote first. */
  getVoters(
    id: string,
    page: number,
    options?: CallOptions,
  ): Promise<PageOf<Voter>>;
  /**
   * Archives feedback as a duplicate of other feedback that is open for voting.
   *
   * @param merge.replyCount - see {@link StatusMove}.
   */
  merge(id: string, merge: { into: string; replyCount: number }): Promise<void>;
  /** Restores the status and the votes that a duplicate had before it was merged. */
  undoMerge(id: string): Promise<void>;
  getStatistics(
    period: { startDate: string; endDate: string },
    options?: CallOptions,
  ): Promise<Statistics>;
  /**
   * Creates issues for validated feedback: for all of it, or only for the entry with the given id.
   */
  runAutomation(only?: string): Promise<AutomationResult>;
  getIssue(number: string, options?: CallOptions): Promise<Issue>;
  changeIssue(number: number, state: Issue['state']): Promise<Issue>;
}

/** Reference to the {@link FeedbackApi}. */
export const feedbackApiRef = createApiRef<FeedbackApi>().with({
  id: 'plugin.feedback.client',
  pluginId: 'feedback',
});
