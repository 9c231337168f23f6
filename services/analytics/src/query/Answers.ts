import { hash } from 'node:crypto';
import { isoOf } from '@slipway/entity-contract';
import type { Requester } from '../store/process/QueryQueue.ts';
import type { EventsPlan, PlanRows } from './language/Expression.ts';
import type { InsightAnswer, Query, QueryAnswer } from './schemas.ts';

/** Maximum age in milliseconds of a reused result while no new event has arrived. */
const KEPT_MS = 5_000;
const MOST_KEPT = 200;
/** Maximum cells of a cached result, to limit memory. */
const MOST_CELLS = 5_000;

/** Hashes a key, which may be megabytes long, so that the cache keeps only a short one. */
function digestOf(key: string): string {
  return hash('sha256', key);
}

/** The rows of a query that several callers may wait for. */
interface SharedRows {
  readonly rows: Promise<PlanRows>;
  readonly version: number;
  readonly begunAt: number;
  /** Aborted once nobody is waiting any more, which stops the engine. */
  readonly abandoned: AbortController;
  waiting: number;
  isDone: boolean;
}

interface AnswersOptions {
  query: (plan: EventsPlan, requester: Requester) => Promise<PlanRows>;
  /** Returns a different number after each change of a project's events. */
  versionOf: (projectId: string) => number;
  now: () => number;
}

/**
 * Runs queries, and shares results among equal queries while nothing has changed: several
 * people may view the same page, and pages refresh automatically.
 */
export class Answers {
  readonly #options: AnswersOptions;
  readonly #shared = new Map<string, SharedRows>();

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /**
   * Runs a plan; the engine stops once nobody is waiting for the result.
   * @param key - identifies the query that the plan was made from; unlike the plan, it does
   *   not change over time.
   */
  async ask(
    { key: written, plan }: { key: string; plan: EventsPlan },
    { lane, signal }: Requester,
  ): Promise<PlanRows> {
    signal?.throwIfAborted();
    const key = digestOf(written);
    const shared = this.#find(key, plan) ?? this.#begin(key, { plan, lane });
    shared.waiting += 1;
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting === 0 && !shared.isDone) {
        shared.abandoned.abort();
        this.#forget(key, shared);
      }
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await shared.rows;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #find(key: string, { projectId }: EventsPlan): SharedRows | undefined {
    const { versionOf, now } = this.#options;
    const shared = this.#shared.get(key);
    const isFresh =
      shared !== undefined &&
      shared.version === versionOf(projectId) &&
      Math.abs(now() - shared.begunAt) < KEPT_MS;
    return isFresh ? shared : undefined;
  }

  #begin(
    key: string,
    { plan, lane }: { plan: EventsPlan; lane: string },
  ): SharedRows {
    const { query, versionOf, now } = this.#options;
    const abandoned = new AbortController();
    const shared: SharedRows = {
      version: versionOf(plan.projectId),
      begunAt: now(),
      rows: query(plan, { lane, signal: abandoned.signal }),
      abandoned,
      waiting: 0,
      isDone: false,
    };
    this.#shared.delete(key);
    this.#shared.set(key, shared);
    shared.rows.then(
      ({ rows }) => {
        shared.isDone = true;
        if (rows.length * (rows[0]?.length ?? 0) > MOST_CELLS) {
          this.#forget(key, shared);
        }
      },
      () => this.#forget(key, shared),
    );
    const [oldest] = this.#shared.keys();
    if (this.#shared.size > MOST_KEPT) {
      this.#shared.delete(oldest);
    }
    return shared;
  }

  #forget(key: string, shared: SharedRows): void {
    if (this.#shared.get(key) === shared) {
      this.#shared.delete(key);
    }
  }
}

type Answer = QueryAnswer | InsightAnswer;

/** Maximum age in milliseconds of a result for callers that accept a cached one. */
const OLDEST_MS = 5 * 60_000;
const MOST_RECENT = 300;
/**
 * Maximum milliseconds until an erasure is carried out; results computed until then may
 * show the person.
 */
const ERASED_WITHIN_MS = 60_000;
/** Maximum characters of a cached result, to limit memory. */
const LONGEST = 200_000;

interface Recent {
  readonly answer: Answer;
  readonly at: number;
}

/**
 * Caches the results of whole queries for a few minutes, for pages that show many at once,
 * such as dashboards. Equal queries that run at the same time share the rows of
 * {@link Answers}, so that the others continue if one caller disconnects.
 */
export class RecentAnswers {
  readonly #now: () => number;
  readonly #recent = new Map<string, Recent>();

  constructor(options: { now: () => number }) {
    this.#now = options.now;
  }

  /**
   * Runs a query, or returns a recent result.
   * @param asked.scope - the project, and everything else that affects results.
   * @param asked.mayBeOld - whether the caller accepts a recent result.
   * @param asked.erasedAt - when the last erasure of a person was requested.
   */
  async answer(
    asked: {
      scope: string;
      query: Query;
      mayBeOld: boolean;
      erasedAt: number | undefined;
    },
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    const { scope, query, mayBeOld, erasedAt = -Infinity } = asked;
    const key = digestOf(JSON.stringify([scope, query]));
    const now = this.#now();
    const recent = this.#recent.get(key);
    if (
      mayBeOld &&
      recent &&
      Math.abs(now - recent.at) < OLDEST_MS &&
      recent.at > erasedAt + ERASED_WITHIN_MS
    ) {
      return {
        ...recent.answer,
        is_cached: true,
        last_refresh: isoOf(recent.at),
      };
    }
    const answer = await work();
    this.#keep(key, { answer, at: now });
    return mayBeOld
      ? {
          ...answer,
          is_cached: false,
          last_refresh: isoOf(now),
        }
      : answer;
  }

  #keep(key: string, recent: Recent): void {
    if ((this.#recent.get(key)?.at ?? -Infinity) > recent.at) {
      // A query that began later has already finished.
      return;
    }
    this.#recent.delete(key);
    if (sizeOf(recent.answer) > LONGEST) {
      return;
    }
    this.#recent.set(key, recent);
    if (this.#recent.size > MOST_RECENT) {
      const [oldest] = this.#recent.keys();
      this.#recent.delete(oldest);
    }
  }
}

/** Returns the length of a result as JSON; Infinity, without serializing it, if it has many rows. */
function sizeOf({ results }: Answer): number {
  return results.length > 5_000
    ? Number.POSITIVE_INFINITY
    : JSON.stringify(results).length;
}
