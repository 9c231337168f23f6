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
