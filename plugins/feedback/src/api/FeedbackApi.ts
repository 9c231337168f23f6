import { createApiRef } from '@backstage/frontend-plugin-api';
import type {
  AutomationResult,
  Feedback,
  FeedbackOptions,
  FeedbackSummary,
  Issue,
  PageOf,
  Statistics,
  Status,
  Submission,
  TriageFilter,
} from './types';

/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/**
 * Talks to the feedback service as the signed-in user. Every method rejects with a
 * `ResponseError` when the answer is not 2xx, and with a `TypeError` when there was none.
 */
export interface FeedbackApi {
  getOptions(options?: CallOptions): Promise<FeedbackOptions>;
  /** @returns the id. */
  submit(submission: Submission): Promise<string>;
  /** What the user sent, newest first. */
  getMine(page: number, options?: CallOptions): Promise<PageOf<Feedback>>;
  /** All feedback, newest first; 403 for who does not triage. */
  list(
    filter: TriageFilter,
    page: number,
    options?: CallOptions,
  ): Promise<PageOf<FeedbackSummary>>;
  get(id: string, options?: CallOptions): Promise<Feedback>;
  /** @returns a data URL. */
  getScreenshot(id: string, options?: CallOptions): Promise<string>;
  changeStatus(
    id: string,
    change: { status: Status; notes: string },
  ): Promise<void>;
  getStatistics(
    period: { startDate: string; endDate: string },
    options?: CallOptions,
  ): Promise<Statistics>;
  runAutomation(): Promise<AutomationResult>;
  getIssue(number: string, options?: CallOptions): Promise<Issue>;
  changeIssue(number: number, state: Issue['state']): Promise<Issue>;
}

/** {@link FeedbackApi} */
export const feedbackApiRef = createApiRef<FeedbackApi>().with({
  id: 'plugin.feedback.client',
  pluginId: 'feedback',
});
