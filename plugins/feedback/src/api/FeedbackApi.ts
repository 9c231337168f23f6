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
  /** Submits feedback. @returns its id. */
  submit(submission: Submission): Promise<string>;
  /**
   * Lists the user's feedback, newest first; about a component, or those of a system or group, if its
   * reference is given.
   */
  getMine(
    query: { page: number; component?: string },
    options?: CallOptions,
  ): Promise<PageOf<Feedback>>;
  /**
   * Lists all feedback; 403 for users without permission to triage.
   *
   * @param filter.votesUntil - of an earlier page, so that the order does not change.
   */
  list(
    filter: Partial<TriageFilter> & { votesUntil?: string },
    page: number,
    options?: CallOptions,
  ): Promise<VotedPage<FeedbackSummary>>;
  get(id: string, options?: CallOptions): Promise<Feedback>;
  /** Downloads a screenshot. @returns a data URL. */
  getScreenshot(id: string, options?: CallOptions): Promise<string>;
  changeStatus(id: string, change: StatusMove): Promise<void>;
  /** Adds a reply to feedback, or an internal note. */
  addReply(
    id: string,
    reply: ReplyDraft & {
      /** Identifies the reply, so that it is added once even if it is sent again. */
      idempotencyKey: string;
    },
  ): Promise<void>;
  deleteReply(id: string, replyId: string): Promise<void>;
  /** Deletes feedback: any for users who can triage, their own for others as long as it is new. */
  delete(id: string): Promise<void>;
  /** Lists what is open for voting, or what the user has voted for. */
  listBallots(
    filter: Partial<BallotFilter> & { votesUntil?: string },
    page: { number: number; size?: number },
    options?: CallOptions,
  ): Promise<VotedPage<Ballot>>;
  getBallot(id: string, options?: CallOptions): Promise<Ballot>;
  /** Adds the vote of the user to feedback, or takes it back. */
  setVote(id: string, hasVoted: boolean): Promise<void>;
  /** Opens feedback for voting, or changes its title. */
  openVoting(id: string, title: string): Promise<void>;
  /**
   * Changes the public note of feedback. Fails unless the feedback is open for voting.
   *
   * @param note - an empty one removes it.
   */
  setPublicNote(id: string, note: string): Promise<void>;
  closeVoting(id: string): Promise<void>;
  /** Lists who voted for feedback, newest first. */
  getVoters(
    id: string,
    page: number,
    options?: CallOptions,
  ): Promise<PageOf<Voter>>;
  /**
   * Archives feedback as a duplicate of other feedback that is open for voting.
   *
   * @param merge.replyCount - like that of a {@link StatusMove}.
   */
  merge(id: string, merge: { into: string; replyCount: number }): Promise<void>;
  /** Gives back to a duplicate its status and its votes from before it was merged. */
  undoMerge(id: string): Promise<void>;
  getStatistics(
    period: { startDate: string; endDate: string },
    options?: CallOptions,
  ): Promise<Statistics>;
  /** Creates issues for validated feedback: for all of it, or only for the entry with this id. */
  runAutomation(only?: string): Promise<AutomationResult>;
  getIssue(number: string, options?: CallOptions): Promise<Issue>;
  changeIssue(number: number, state: Issue['state']): Promise<Issue>;
}

/** {@link FeedbackApi} */
export const feedbackApiRef = createApiRef<FeedbackApi>().with({
  id: 'plugin.feedback.client',
  pluginId: 'feedback',
});
