import { createApiRef } from '@backstage/frontend-plugin-api';

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

export const STATUSES = [
  'new',
  'validated',
  'in_progress',
  'resolved',
  'archived',
] as const;
export type Status = (typeof STATUSES)[number];

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

/** How soon somebody should look: a guess of the service, from the words. */
export type Priority = 'high' | 'medium' | 'low';

/** What the reader can choose, and do. */
export interface FeedbackOptions {
  /** What feedback can be about. */
  categories: string[];
  mayTriage: boolean;
}

/** What the widget sends. */
export interface Submission {
  /** 1 to 5. */
  rating: number;
  category: string;
  message: string;
  /** Path of the page that it was sent from. */
  page: string;
  isAnonymous: boolean;
  /** A data URL. */
  screenshot?: string;
}

/** A piece of feedback as lists show it. Times are ISO 8601. */
export interface FeedbackSummary {
  id: string;
  rating: number;
  category: string;
  message: string;
  sentiment: Sentiment;
  status: Status;
  createdAt: string;
  /** Null where nobody is known. */
  userName: string | null;
  userEmail: string | null;
  /** True if a session or a chat platform vouches for the name. */
  isUserVerified: boolean;
}

/** The issue that feedback became. */
export interface IssueReference {
  number: number;
  url: string;
  title: string;
  tracker: string;
}

/** One move. Times are ISO 8601. */
export interface StatusChange {
  at: string;
  /** An entity reference, `automation` or `tracker`. */
  actor: string;
  from: Status;
  to: Status;
  notes: string;
}

/** Everything about one piece of feedback. */
export interface Feedback extends FeedbackSummary {
  isRatingGuessed: boolean;
  priority: Priority;
  source: string;
  page: string | null;
  updatedAt: string;
  hasScreenshot: boolean;
  issue: IssueReference | null;
  /** Visible to those who triage. */
  history?: StatusChange[];
}

/** A page of a list. */
export interface PageOf<T> {
  items: T[];
  page: number;
  perPage: number;
  total: number;
}

/** What a list is narrowed to; the empty text is any. */
export interface TriageFilter {
  status: string;
  category: string;
  rating: string;
  sentiment: string;
  q: string;
  /** `YYYY-MM-DD`, both inclusive. */
  startDate: string;
  endDate: string;
}

/** Feedback of a period in numbers. */
export interface Statistics {
  total: number;
  byRating: Record<string, number>;
  byCategory: Record<string, number>;
  byStatus: Record<Status, number>;
  bySentiment: Record<Sentiment, number>;
  averageRating: number;
  /** 0 to 1. */
  responseRate: number;
}

/** What a run of the automation did. */
export interface AutomationResult {
  processed: number;
  created: { feedbackId: string; issueNumber: number }[];
  errors: { feedbackId: string; message: string }[];
}

/** An issue of the embedded tracker. Times are ISO 8601. */
export interface Issue {
  number: number;
  title: string;
  /** Null for who may not read the words of the sender. */
  body: string | null;
  state: 'open' | 'closed';
  createdAt: string;
  closedAt: string | null;
  closedBy: string | null;
  feedbackId: string | null;
}
