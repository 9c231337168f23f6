import type {
  Ballot,
  Feedback,
  FeedbackSummary,
  Issue,
  IssueReference,
  Priority,
  PublicNote,
  Reply,
  Sentiment,
  Statistics,
  Status,
  StatusChange,
  VotedPage,
} from './Feedback';

/** A list item in the service's format. */
export interface SummaryAnswer {
  id: string;
  rating: number;
  category: string;
  message: string;
  sentiment: Sentiment;
  status: Status;
  created_at: string;
  user: { name: string | null; email: string | null; verified: boolean };
  /** Missing in lists that are not limited to components. */
  context?: { component: string | null };
  /** Missing without replies. */
  reply_count?: number;
  /** Missing if false. */
  awaits_reply?: boolean;
  /** Missing without votes. */
  votes?: number;
  /** Missing if it is not a duplicate. */
  merged_into?: string;
}

/** A reply in the service's format. */
interface ReplyAnswer {
  id: string;
  message: string;
  internal: boolean;
  author: { name: string; is_sender: boolean };
  created_at: string;
  may_delete: boolean;
}

/** A public note in the service's format. */
interface NoteAnswer {
  text: string;
  written_at: string;
}

/** A record in the service's format. */
export interface FeedbackAnswer extends SummaryAnswer {
  rating_inferred: boolean;
  priority: Priority;
  source: string;
  context: { page: string | null; component: string | null };
  updated_at: string;
  screenshot_url: string | null;
  tracker_issue: IssueReference | null;
  history?: StatusChange[];
  /** Missing in lists, and without replies. */
  replies?: ReplyAnswer[];
  /** Missing if false, and in lists. */
  may_reply?: boolean;
  /** Missing if false, and in lists. */
  is_own?: boolean;
  /** Missing if it was never open for voting, and in lists. */
  voting?: { title?: string; open: boolean; public_note?: NoteAnswer };
  /** Missing in lists, if it is not a duplicate, and if the title is private. */
  merged_title?: string;
}

/** A page of a list in the service's format. */
export interface PageAnswer<T> {
  feedback: T[];
  pagination: { page: number; per_page: number; total: number };
  /** Missing if the order does not depend on votes. */
  votes_until?: string;
}

/** The statistics in the service's format. */
export interface StatisticsAnswer {
  total_feedback: number;
  by_rating: Record<string, number>;
  by_category: Record<string, number>;
  by_status: Record<Status, number>;
  by_sentiment: Record<Sentiment, number>;
  avg_rating: number;
  response_rate: number;
}

/** An issue in the service's format. */
export interface IssueAnswer {
  number: number;
  title: string;
  body: string | null;
  state: Issue['state'];
  created_at: string;
  closed_at: string | null;
  closed_by: string | null;
  feedback_id: string | null;
}

export function readSummary(answer: SummaryAnswer): FeedbackSummary {
  const { id, rating, category, message, sentiment, status } = answer;
  return {
    id,
    rating,
    category,
    message,
    sentiment,
    status,
    createdAt: answer.created_at,
    userName: answer.user.name,
    userEmail: answer.user.email,
    isUserVerified: answer.user.verified,
    component: answer.context?.component ?? null,
    replyCount: answer.reply_count ?? 0,
    awaitsReply: answer.awaits_reply ?? false,
    votes: answer.votes ?? 0,
    mergedInto: answer.merged_into ?? null,
  };
}

export function readFeedback(answer: FeedbackAnswer): Feedback {
  return {
    ...readSummary(answer),
    isRatingGuessed: answer.rating_inferred,
    priority: answer.priority,
    source: answer.source,
    page: answer.context.page,
    updatedAt: answer.updated_at,
    hasScreenshot: answer.screenshot_url !== null,
    issue: answer.tracker_issue,
    history: answer.history,
    replies: (answer.replies ?? []).map(readReply),
    mayReply: answer.may_reply ?? false,
    isOwn: answer.is_own ?? false,
    ...(answer.merged_title && { mergedTitle: answer.merged_title }),
    voting: answer.voting
      ? {
          title: answer.voting.title ?? '',
          isOpen: answer.voting.open,
          ...readNote(answer.voting),
        }
      : null,
  };
}

function readReply(answer: ReplyAnswer): Reply {
  const { id, message, internal, author } = answer;
  return {
    id,
    message,
    isInternal: internal,
    authorName: author.name,
    isFromSender: author.is_sender,
    createdAt: answer.created_at,
    mayDelete: answer.may_delete,
  };
}

function readNote({ public_note: note }: { public_note?: NoteAnswer }): {
  note?: PublicNote;
} {
  return note ? { note: { text: note.text, writtenAt: note.written_at } } : {};
}

/**
 * Converts a page of a list.
 *
 * @param read - converts each element.
 */
export function readPage<A, T>(
  answer: PageAnswer<A>,
  read: (element: A) => T,
): VotedPage<T> {
  const { page, per_page, total } = answer.pagination;
  return {
    items: answer.feedback.map(read),
    page,
    perPage: per_page,
    total,
    ...(answer.votes_until && { votesUntil: answer.votes_until }),
  };
}

export function readStatistics(answer: StatisticsAnswer): Statistics {
  return {
    total: answer.total_feedback,
    byRating: answer.by_rating,
    byCategory: answer.by_category,
    byStatus: answer.by_status,
    bySentiment: answer.by_sentiment,
    averageRating: answer.avg_rating,
    responseRate: answer.response_rate,
  };
}

export function readIssue(answer: IssueAnswer): Issue {
  const { number, title, body, state } = answer;
  return {
    number,
    title,
    body,
    state,
    createdAt: answer.created_at,
    closedAt: answer.closed_at,
    closedBy: answer.closed_by,
    feedbackId: answer.feedback_id,
  };
}

/**
 * Returns the start and end of a period of whole days in the user's time zone, because the
 * service uses UTC days.
 */
export function readersDays(period: { startDate: string; endDate: string }): {
  start_date: string;
  end_date: string;
} {
  return {
    start_date: momentOf(`${period.startDate}T00:00:00.000`),
    end_date: momentOf(`${period.endDate}T23:59:59.999`),
  };
}

/** Converts a local time in the browser's time zone to ISO 8601. */
function momentOf(local: string): string {
  return new Date(local).toISOString();
}

/** Reads a file or response as a `data:` URL, which pages can display and send. */
export function readAsDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Feedback that is open for voting in the service's format. */
export interface BallotAnswer {
  id: string;
  title: string;
  category: string;
  status: Status;
  votes: number;
  voted: boolean;
  open: boolean;
  opened_at: string;
  /** Missing if there is none. */
  public_note?: NoteAnswer;
  /** Missing if it is not a duplicate. */
  merged_into?: string;
  /** Missing in lists, and if the user may not see it. */
  merged_title?: string;
}

export function readBallot(answer: BallotAnswer): Ballot {
  const { id, title, category, status, votes } = answer;
  return {
    id,
    title,
    category,
    status,
    votes,
    hasVoted: answer.voted,
    isOpen: answer.open,
    openedAt: answer.opened_at,
    ...readNote(answer),
    mergedInto: answer.merged_into ?? null,
    ...(answer.merged_title && { mergedTitle: answer.merged_title }),
  };
}
