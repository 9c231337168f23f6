import type { TimeSpan } from '../periods/TimeSpan.ts';
import type { Feedback, Status } from '../feedback/Feedback.ts';

/** How many records a span has of each kind. */
export interface FeedbackCounts {
  readonly byRating: ReadonlyMap<number, number>;
  readonly byCategory: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<Status, number>;
  readonly bySentiment: ReadonlyMap<string, number>;
}

/** What one author sent. */
export interface AuthorSummary {
  readonly count: number;
  /** The newest. */
  readonly latest: Pick<Feedback, 'category' | 'status' | 'createdAt'> | null;
}

/** Counts feedback. */
export interface StatisticsStore {
  /** @param span - everything when left out. */
  count(span?: TimeSpan): Promise<FeedbackCounts>;
  ofAuthor(author: string, span: TimeSpan): Promise<AuthorSummary>;
}
