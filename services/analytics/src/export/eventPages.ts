import type { EventsPlan, PlanRows } from '../query/language/Expression.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';
import { presentRows } from '../query/answerQuery.ts';
import { readPeriod } from '../query/readPeriod.ts';
import { UTC } from '../query/time/zones.ts';
import { readFewer } from '../store/readFewer.ts';

/** An event in an export; times are ISO 8601 in UTC. */
export interface ExportedEvent {
  readonly uuid: string;
  readonly event: string;
  /** Null if the project hides who did something. */
  readonly distinct_id: string | null;
  readonly timestamp: string;
  readonly created_at: string;
  readonly properties: Record<string, unknown>;
}

/** The events to export; all of them by default. */
export interface ExportScope {
  readonly projectId: string;
  readonly hidesPeople: boolean;
  /** Exclusive bounds as in an EventsQuery: dates, or times relative to now. */
  readonly after?: string;
  readonly before?: string;
  readonly event?: string;
  readonly now: number;
}

type Ask = (plan: EventsPlan) => Promise<PlanRows>;

/** Maximum events per page, to limit the memory of an export. */
const PAGE = 10_000;
/** Maximum events that are read for a page, which may have grown since its events were counted. */
const LONGEST_PAGE = 2 * PAGE;

interface Bounds {
  readonly after: number;
  readonly before: number;
}

class PageReader {
  readonly #scope: ExportScope;
  readonly #ask: Ask;

  constructor(scope: ExportScope, ask: Ask) {
    this.#scope = scope;
    this.#ask = ask;
  }

  /** Returns the times of the first and last event; undefined if there are no events. */
  async measure(period: {
    after?: number;
    before: number;
  }): Promise<{ first: number; last: number } | undefined> {
    const { rows } = await this.#ask(
      this.#plan(period, ['count()', 'min(timestamp)', 'max(timestamp)']),
    );
    const [count, first, last] = rows[0].map(Number);
    return count === 0 ? undefined : { first, last };
  }

  async *pages(bounds: Bounds): AsyncGenerator<ExportedEvent[]> {
    const { rows } = await this.#ask(this.#plan(bounds, ['count()']));
    const count = Number(rows[0][0]);
    if (count === 0) {
      return;
    }
    const { after, before } = bounds;
    const isOneMoment = before - after <= 2;
    if (count <= PAGE || isOneMoment) {
      yield* this.#read(bounds);
      return;
    }
    const middle = after + Math.floor((before - after) / 2);
    yield* this.pages({ after, before: middle + 1 });
    yield* this.pages({ after: middle, before });
  }

  async *#read(bounds: Bounds): AsyncGenerator<ExportedEvent[]> {
    let next = { limit: LONGEST_PAGE, offset: 0 };
    for (;;) {
      const { offset } = next;
      const { found, limit } = await readFewer(next.limit, each =>
        this.#page(bounds, { limit: each, offset }),
      );
      yield found.results.map(([cell]) => cell as ExportedEvent);
      if (!found.hasMore) {
        return;
      }
      next = { limit, offset: offset + limit };
    }
  }

  async #page(bounds: Bounds, page: { limit: number; offset: number }) {
    const plan = planEventsQuery(
      {
        ...this.#query(bounds),
        select: ['*'],
        orderBy: ['timestamp', 'uuid'],
        ...page,
      },
      this.#scope,
    );
    return presentRows(plan, await this.#ask(plan), {
      zone: 'UTC',
      hidesPeople: this.#scope.hidesPeople,
    });
  }

  #plan(bounds: Partial<Bounds>, select: string[]): EventsPlan {
    return planEventsQuery({ ...this.#query(bounds), select }, this.#scope);
  }

  #query({ after, before }: Partial<Bounds>) {
    const { event } = this.#scope;
    return {
      kind: 'EventsQuery' as const,
      after: after === undefined ? 'all' : new Date(after).toISOString(),
      ...(before !== undefined && { before: new Date(before).toISOString() }),
      ...(event !== undefined && { event }),
    };
  }
}

/**
 * Reads every event of a scope page by page, oldest first. Divides time into halves until
 * each part fits into a page, so that no page reads the events of others and engines need
 * no cursor. Events that arrive during the export may or may not be included.
 * @throws InvalidRequestError before the first page if a bound is not a date.
 */
export function eventPages(
  scope: ExportScope,
  ask: Ask,
): AsyncGenerator<ExportedEvent[]> {
  const period = readPeriod(
    { after: scope.after ?? 'all', before: scope.before },
    { now: scope.now, calendar: UTC },
  );
  return pagesBetween(new PageReader(scope, ask), period);
}

async function* pagesBetween(
  reader: PageReader,
  period: { after?: number; before: number },
): AsyncGenerator<ExportedEvent[]> {
  const found = await reader.measure(period);
  if (found) {
    // Bounds are exclusive.
    yield* reader.pages({
      after: Math.max(found.first - 1, period.after ?? -Infinity),
      before: Math.min(found.last + 1, period.before),
    });
  }
}
