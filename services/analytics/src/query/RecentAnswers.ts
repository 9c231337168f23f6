import type { InsightAnswer, Query, QueryAnswer } from './schemas.ts';

type Answer = QueryAnswer | InsightAnswer;

/** Maximum age of a result for callers that accept a cached one. */
const OLDEST_MS = 5 * 60_000;
const MOST_KEPT = 300;
/** Maximum characters of a cached result, to limit memory. */
const LONGEST = 200_000;

interface Recent {
  readonly answer: Promise<Answer>;
  readonly at: number;
}

/**
 * Caches the results of whole queries for a few minutes, for pages that show many at
 * once, such as dashboards.
 */
export class RecentAnswers {
  readonly #now: () => number;
  readonly #recent = new Map<string, Recent>();

  constructor(options: { now: () => number }) {
    this.#now = options.now;
  }

  /**
   * Runs a query, or returns a recent result.
   * @param asked.scope - the project, and its settings that change results.
   * @param asked.mayBeOld - whether the caller accepts a recent result.
   */
  async answer(
    asked: { scope: string; query: Query; mayBeOld: boolean },
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    const { scope, query, mayBeOld } = asked;
    const key = JSON.stringify([scope, query]);
    const now = this.#now();
    const recent = this.#recent.get(key);
    if (mayBeOld && recent && Math.abs(now - recent.at) < OLDEST_MS) {
      return {
        ...(await recent.answer),
        is_cached: true,
        last_refresh: new Date(recent.at).toISOString(),
      };
    }
    const answer = work();
    this.#keep(key, { answer, at: now });
    const found = await answer;
    return mayBeOld
      ? {
          ...found,
          is_cached: false,
          last_refresh: new Date(now).toISOString(),
        }
      : found;
  }

  #keep(key: string, recent: Recent): void {
    const forget = () => {
      if (this.#recent.get(key) === recent) {
        this.#recent.delete(key);
      }
    };
    this.#recent.delete(key);
    this.#recent.set(key, recent);
    recent.answer.then(answer => {
      if (sizeOf(answer) > LONGEST) {
        forget();
      }
    }, forget);
    if (this.#recent.size > MOST_KEPT) {
      const [oldest] = this.#recent.keys();
      this.#recent.delete(oldest);
    }
  }
}

/** Estimates the length of a result without serializing all of a long one. */
function sizeOf({ results }: Answer): number {
  return results.length > 5_000
    ? Number.POSITIVE_INFINITY
    : JSON.stringify(results).length;
}
