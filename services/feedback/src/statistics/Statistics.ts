import { STATUSES, type Status } from '../feedback/Feedback.ts';
import type { TimeSpan } from '../periods/TimeSpan.ts';
import { SENTIMENTS, type Sentiment } from '../sentiment/sentimentOf.ts';
import type { StatisticsStore } from '../storage/StatisticsStore.ts';

/** The figures for the feedback of a time span. */
export interface FeedbackStatistics {
  readonly total: number;
  readonly byRating: Record<string, number>;
  readonly byCategory: Record<string, number>;
  readonly byStatus: Record<Status, number>;
  readonly bySentiment: Record<Sentiment, number>;
  /** Average rating; 0 without feedback. */
  readonly averageRating: number;
  /** Fraction of feedback that is no longer `new`, 0 to 1; 0 without feedback. */
  readonly responseRate: number;
}

/** Computes counts, averages and rates. */
export class Statistics {
  readonly #store: StatisticsStore;
  readonly #categories: readonly string[];

  constructor(options: {
    store: StatisticsStore;
    categories: readonly string[];
  }) {
    this.#store = options.store;
    this.#categories = options.categories;
  }

  /**
   * Computes the figures for the feedback of a time span.
   *
   * @param span - defaults to all time.
   */
  async of(span?: TimeSpan): Promise<FeedbackStatistics> {
    const counts = await this.#store.count(span);
    const total = sum(counts.byRating.values());
    const stars = sum(
      [...counts.byRating].map(([rating, count]) => rating * count),
    );
    const unread = counts.byStatus.get('new') ?? 0;
    return {
      total,
      byRating: fill([1, 2, 3, 4, 5], counts.byRating),
      // Categories of earlier configurations are still counted.
      byCategory: fill(
        [...this.#categories, ...counts.byCategory.keys()],
        counts.byCategory,
      ),
      byStatus: fill(STATUSES, counts.byStatus),
      bySentiment: fill(
        SENTIMENTS,
        counts.bySentiment as Map<Sentiment, number>,
      ),
      averageRating: total === 0 ? 0 : round(stars / total, 2),
      responseRate: total === 0 ? 0 : round((total - unread) / total, 4),
    };
  }
}

function fill<K extends string | number>(
  keys: readonly K[],
  counts: ReadonlyMap<K, number>,
): Record<K, number> {
  return Object.fromEntries(
    keys.map(key => [key, counts.get(key) ?? 0]),
  ) as Record<K, number>;
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

function round(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
