import type { Database } from '@slipway/service-kit';
import { OPEN_STATUSES, type Status } from '../feedback/Feedback.ts';
import { whereAbout } from './narrow.ts';

/** Figures for the feedback about some components in a period. */
export interface ComponentFigures {
  readonly entries: number;
  /** 1 to 5; undefined without entries. */
  readonly averageRating: number | undefined;
}

/** Counts of open feedback about one component. */
export interface ComponentBacklog {
  /** The component as senders named it, in lower case. */
  readonly component: string;
  /** The number of entries that are neither resolved nor archived. */
  readonly open: number;
  /** The new entries; undefined if there are none. */
  readonly fresh:
    | {
        readonly count: number;
        readonly lowestRating: number;
        /** The id of the newest one. */
        readonly newest: string;
        /** When the newest one was sent; milliseconds since the Unix epoch. */
        readonly newestAt: number;
      }
    | undefined;
  /** The id of the newest entry of the period, whatever its status; null if there is none. */
  readonly newest: string | null;
}

/** A feedback entry without its message. */
export interface FeedbackMark {
  readonly id: string;
  readonly rating: number;
  readonly category: string;
  readonly component: string;
  readonly status: Status;
  /** An entity reference; null if the sender is not authenticated. */
  readonly author: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

/**
 * A time span in milliseconds since the Unix epoch, from `from` (inclusive) to `to` (exclusive).
 */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reads feedback by its subject. */
export class ComponentFeedback {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async figures(
    components: readonly string[],
    span: Span,
  ): Promise<ComponentFigures> {
    const row = await this.#about(components, span)
      .count({ entries: '*' })
      .sum({ ratings: 'rating' })
      .first();
    const entries = Number(row?.entries ?? 0);
    return {
      entries,
      averageRating:
        entries === 0 ? undefined : Number(row?.ratings ?? 0) / entries,
    };
  }

  /**
   * Counts open and new feedback by component.
   *
   * @param options.since - the start of the period that `newest` refers to.
   */
  async backlog(
    components: readonly string[],
    { since }: { since: number },
  ): Promise<ComponentBacklog[]> {
    const { knex } = this.#database;
    const ofFresh = (aggregate: string, value: string) =>
      knex.raw(`${aggregate}(CASE WHEN status = 'new' THEN ${value} END)`);
    const query = knex('feedback')
      .where(either =>
        either
          .whereIn('status', OPEN_STATUSES)
          .orWhere('created_at', '>=', since),
      )
      .groupByRaw('LOWER(component)')
      .select({
        component: knex.raw('LOWER(component)'),
        open: knex.raw(
          `COUNT(CASE WHEN status IN (${OPEN_STATUSES.map(() => '?').join()}) THEN 1 END)`,
          [...OPEN_STATUSES],
        ),
        newest: knex.raw('MAX(CASE WHEN created_at >= ? THEN id END)', [since]),
        fresh: ofFresh('COUNT', '1'),
        lowest: ofFresh('MIN', 'rating'),
        newestFresh: ofFresh('MAX', 'id'),
        newestFreshAt: ofFresh('MAX', 'created_at'),
      });
    const rows = await whereAbout(query, components);
    return rows.map(row => ({
      component: row.component,
      open: Number(row.open),
      fresh:
        row.newestFresh === null
          ? undefined
          : {
              count: Number(row.fresh),
              lowestRating: Number(row.lowest),
              newest: row.newestFresh,
              newestAt: Number(row.newestFreshAt),
            },
      newest: row.newest,
    }));
  }

  /** Lists entries, newest first. */
  async list(
    components: readonly string[],
    options: Span & { limit: number; author?: string },
  ): Promise<FeedbackMark[]> {
    const { limit, author } = options;
    const query = this.#about(components, options)
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit);
    if (author !== undefined) {
      query.where({ author });
    }
    const rows = await query.select(
      'id',
      'rating',
      'category',
      'component',
      'status',
      'author',
      'created_at',
    );
    return rows.map(({ created_at: createdAt, ...mark }) => ({
      ...mark,
      createdAt: Number(createdAt),
    }));
  }

  /**
   * Selects the feedback about any of the components in a time span.
   *
   * @param components - lower-case names and references to search for.
   */
  #about(components: readonly string[], { from, to }: Span) {
    return whereAbout(
      this.#database
        .knex('feedback')
        .where('created_at', '>=', from)
        .where('created_at', '<', to),
      components,
    );
  }
}
