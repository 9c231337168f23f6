import type { Database } from '@slipway/service-kit';
import type { Status } from '../feedback/Feedback.ts';
import { whereAbout } from './narrow.ts';

/** Figures for the feedback about some components in a period. */
export interface ComponentFigures {
  readonly entries: number;
  /** 1 to 5; undefined without entries. */
  readonly averageRating: number | undefined;
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

  /** Lists entries, newest first. */
  async list(
    components: readonly string[],
    options: Span & {
      limit: number;
      statuses?: readonly Status[];
      author?: string;
    },
  ): Promise<FeedbackMark[]> {
    const { limit, statuses, author } = options;
    const query = this.#about(components, options)
      .orderBy('created_at', 'desc')
      .limit(limit);
    if (statuses) {
      query.whereIn('status', [...statuses]);
    }
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

  /** @param components - lower-case names and references to search for. */
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
