import type { Asker } from '../store/process/QuestionQueue.ts';
import type { EventsPlan, PlanRows } from './language/EventsPlan.ts';

/** Maximum age of a reused result while no new event has arrived. */
const KEPT_MS = 5_000;
const MOST_KEPT = 200;
/** Maximum cells of a cached result, to limit memory. */
const MOST_CELLS = 5_000;

interface Asked {
  readonly rows: Promise<PlanRows>;
  readonly version: number;
  readonly begunAt: number;
  readonly nobodyWaits: AbortController;
  waiting: number;
  isDone: boolean;
}

/**
 * Runs queries, and shares the result of equal queries while nothing has changed:
 * several people view the same page, and pages refresh by themselves.
 */
export class Answers {
  readonly #options: {
    query: (plan: EventsPlan, asker: Asker) => Promise<PlanRows>;
    versionOf: (projectId: string) => number;
    now: () => number;
  };
  readonly #asked = new Map<string, Asked>();

  /**
   * @param options.versionOf - returns a different number after each change of a
   *   project's events.
   */
  constructor(options: {
    query: (plan: EventsPlan, asker: Asker) => Promise<PlanRows>;
    versionOf: (projectId: string) => number;
    now: () => number;
  }) {
    this.#options = options;
  }

  /**
   * Runs a plan; the engine stops once nobody is waiting for the result.
   * @param key - the query that the plan was made from, as a key that is stable over
   *   time.
   */
  async ask(
    { key, plan }: { key: string; plan: EventsPlan },
    { lane, signal }: Asker,
  ): Promise<PlanRows> {
    const asked = this.#find(key, plan) ?? this.#begin(key, { plan, lane });
    asked.waiting += 1;
    const leave = () => {
      asked.waiting -= 1;
      if (asked.waiting === 0 && !asked.isDone) {
        asked.nobodyWaits.abort();
        this.#forget(key, asked);
      }
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      signal?.throwIfAborted();
      return await asked.rows;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #find(key: string, { projectId }: EventsPlan): Asked | undefined {
    const { versionOf, now } = this.#options;
    const asked = this.#asked.get(key);
    const isFresh =
      asked !== undefined &&
      asked.version === versionOf(projectId) &&
      Math.abs(now() - asked.begunAt) < KEPT_MS;
    return isFresh ? asked : undefined;
  }

  #begin(
    key: string,
    { plan, lane }: { plan: EventsPlan; lane: string },
  ): Asked {
    const { query, versionOf, now } = this.#options;
    const nobodyWaits = new AbortController();
    const asked: Asked = {
      version: versionOf(plan.projectId),
      begunAt: now(),
      rows: query(plan, { lane, signal: nobodyWaits.signal }),
      nobodyWaits,
      waiting: 0,
      isDone: false,
    };
    this.#asked.delete(key);
    this.#asked.set(key, asked);
    asked.rows.then(
      ({ rows }) => {
        asked.isDone = true;
        if (rows.length * (rows[0]?.length ?? 0) > MOST_CELLS) {
          this.#forget(key, asked);
        }
      },
      () => this.#forget(key, asked),
    );
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_KEPT) {
      this.#asked.delete(oldest);
    }
    return asked;
  }

  #forget(key: string, asked: Asked): void {
    if (this.#asked.get(key) === asked) {
      this.#asked.delete(key);
    }
  }
}
