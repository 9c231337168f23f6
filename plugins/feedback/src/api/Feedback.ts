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

/** The urgency that the service estimates from the text. */
export type Priority = 'high' | 'medium' | 'low';

/** The user's choices and permissions. */
export interface FeedbackOptions {
  /** The categories of feedback. */
  categories: string[];
  mayTriage: boolean;
  /** The quota for screenshots and how much of it is used, in bytes; only for admins, once it runs short. */
  screenshots?: { used: number; quota: number };
}

/** The data sent by the widget. */
export interface Submission {
  /** 1 to 5. */
  rating: number;
  category: string;
  message: string;
  /** Path of the page from which it was sent. */
  page: string;
  isAnonymous: boolean;
  /** A data URL. */
  screenshot?: string;
}

/** The response to a submission. */
export interface Receipt {
  id: string;
  /** False if there was no space for the screenshot. */
  isScreenshotStored: boolean;
}

/** Feedback in lists. Times are ISO 8601. */
export interface FeedbackSummary {
  id: string;
  rating: number;
  category: string;
  message: string;
  sentiment: Sentiment;
  status: Status;
  createdAt: string;
  /** Null if unknown. */
  userName: string | null;
  userEmail: string | null;
  /** True if the name is verified by a session or a chat platform. */
  isUserVerified: boolean;
  /**
   * The component that it is about: an entity reference or a name. Null if unknown, and in lists
   * that are not limited to components.
   */
  component: string | null;
  /** The number of replies, without internal notes. */
  replyCount: number;
  /** True if the last reply is the sender's, and no admin has acted on it. */
  awaitsReply: boolean;
  votes: number;
  /** The id of the feedback that it is a duplicate of; null if it is not a duplicate. */
  mergedInto: string | null;
}

/** The issue created from feedback. */
export interface IssueReference {
  number: number;
  url: string;
  title: string;
  tracker: string;
}

/** A change of status to make. */
export interface StatusMove {
  status: Status;
  notes: string;
  /** The number of replies that the user has seen: with more, the feedback still awaits a reply. */
  replyCount: number;
}

/** A change of status. Times are ISO 8601. */
export interface StatusChange {
  at: string;
  /** An entity reference, `automation` or `tracker`; only for admins, like `notes`. */
  actor?: string;
  from: Status;
  to: Status;
  notes?: string;
}

/** A reply or a note to add. */
export interface ReplyDraft {
  message: string;
  /** True for a note that only admins can read. */
  isInternal: boolean;
}

/** A reply to feedback, or an internal note. */
export interface Reply extends ReplyDraft {
  id: string;
  authorName: string;
  /** True if the sender of the feedback wrote it. */
  isFromSender: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** True if the user may delete it. */
  mayDelete: boolean;
}

/** Feedback with all fields. */
export interface Feedback extends FeedbackSummary {
  isRatingGuessed: boolean;
  priority: Priority;
  source: string;
  page: string | null;
  updatedAt: string;
  hasScreenshot: boolean;
  issue: IssueReference | null;
  /** The thread, oldest first; empty in lists. */
  replies: Reply[];
  /** True if the user may reply; false in lists. */
  mayReply: boolean;
  /** True if the user sent it; false in lists. */
  isOwn: boolean;
  /**
   * Null if it was never open for voting, and in lists. While it is open, users can vote if it is neither
   * resolved nor archived. The title is empty for senders once it is closed.
   */
  voting: { title: string; isOpen: boolean; note?: PublicNote } | null;
  /** The title of the entry it was merged into; missing in lists, and if the user may not see it. */
  mergedTitle?: string;
  /** The status changes, oldest first; only for the sender and admins, and missing from lists. */
  history?: StatusChange[];
}

/** A page of a list. */
export interface PageOf<T> {
  items: T[];
  page: number;
  perPage: number;
  total: number;
}

/** The filters of a list; an empty string matches anything. */
export interface TriageFilter {
  status: string;
  category: string;
  rating: string;
  sentiment: string;
  q: string;
  /** `awaited` for entries that await a reply. */
  replies?: string;
  /** `open` for entries that are open for voting. */
  voting?: string;
  /** `votes` for the most votes first; newest first by default. */
  sort?: string;
  /** An entity reference; entries about this component, or the components of a system or group. */
  component?: string;
  /** `YYYY-MM-DD`, both inclusive. */
  startDate: string;
  endDate: string;
}

/** Statistics of the feedback of a period. */
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

/** The result of an automation run. */
export interface AutomationResult {
  processed: number;
  created: { feedbackId: string; issueNumber: number }[];
  errors: { feedbackId: string; message: string }[];
}

/** An issue of the embedded tracker. Times are ISO 8601. */
export interface Issue {
  number: number;
  title: string;
  /** Null for users who may not read the sender's text. */
  body: string | null;
  state: 'open' | 'closed';
  createdAt: string;
  closedAt: string | null;
  closedBy: string | null;
  feedbackId: string | null;
}

/** A note for everyone on feedback that is open for voting, written by an admin. */
export interface PublicNote {
  text: string;
  /** ISO 8601. */
  writtenAt: string;
}

/** The public part of feedback that is open for voting. Times are ISO 8601. */
export interface Ballot {
  id: string;
  /** The wish in an admin's words. */
  title: string;
  category: string;
  status: Status;
  votes: number;
  /** True if the user has voted for it. */
  hasVoted: boolean;
  /** False if it was closed, resolved, archived or merged. */
  isOpen: boolean;
  openedAt: string;
  /** Undefined if there is none. */
  note?: PublicNote;
  /** The id of the feedback that it is a duplicate of; null if it is not a duplicate. */
  mergedInto: string | null;
  /** The title of that feedback; missing in lists, and if the user may not see it. */
  mergedTitle?: string;
}

/**
 * The filters of the list of feedback that is open for voting; an empty string matches anything.
 */
export interface BallotFilter {
  q: string;
  category: string;
  /** `votes`, or `newest`. */
  sort: string;
  /** `true` for entries that the user has voted for, even if they are closed. */
  voted: string;
}

/** A page of a list whose order may depend on votes. */
export interface VotedPage<T> extends PageOf<T> {
  /**
   * The time up to which votes count for the order; undefined if the order does not depend on
   * votes.
   */
  votesUntil?: string;
}

/** A user who has voted. */
export interface Voter {
  /** An entity reference. */
  user: string;
  /** ISO 8601. */
  votedAt: string;
}
