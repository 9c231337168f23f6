import type { Database } from '@slipway/service-kit';
import type { Feedback, Status } from '../feedback/Feedback.ts';
import type { TimeSpan } from '../periods/TimeSpan.ts';

/** The number of records of each kind in a time span. */
export interface FeedbackCounts {
  readonly byRating: ReadonlyMap<number, number>;
  readonly byCategory: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<Status, number>;
  readonly bySentiment: ReadonlyMap<string, number>;
}

/** A summary of what one author sent. */
export interface AuthorSummary {
  readonly count: number;
  /** The newest record; null if there is none. */
  readonly latest: Pick<Feedback, 'category' | 'status' | 'createdAt'> | null;
}

interface Cell {
  rating: number;
  category: string;
  status: Status;
  sentiment: string;
  total: number | string;
}

/** Counts feedback in the service's database, in a single pass over the time span. */
export class StatisticsStore {
  readonly #database: Database;

  constructor(options: { database: Database }) {
    this.#database = options.database;
  }

  /**
   * Counts the feedback of a time span.
   *
   * @param span - defaults to all time.
   */
  async count(span?: TimeSpan): Promise<FeedbackCounts> {
    const kinds = ['rating', 'category', 'status', 'sentiment'] as const;
    const cells: Cell[] = await this.#within(span)
      .select(...kinds)
      .count({ total: '*' })
      .groupBy(...kinds);
    return {
      byRating: sumBy(cells, ({ rating }) => rating),
      byCategory: sumBy(cells, ({ category }) => category),
      byStatus: sumBy(cells, ({ status }) => status),
      bySentiment: sumBy(cells, ({ sentiment }) => sentiment),
    };
  }

  async ofAuthor(author: string, span: TimeSpan): Promise<AuthorSummary> {
    const own = () => this.#within(span).where({ author });
    const [counted, latest] = await Promise.all([
      own().count({ total: '*' }).first(),
      own()
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .first('category', 'status', 'created_at'),
    ]);
    return {
      count: Number(counted?.total ?? 0),
      latest: latest
        ? {
            category: latest.category,
            status: latest.status,
            createdAt: Number(latest.created_at),
          }
        : null,
    };
  }

  #within(span?: TimeSpan) {
    const query = this.#database.knex('feedback');
    return span
      ? query
          .where('created_at', '>=', span.start)
          .where('created_at', '<', span.end)
      : query;
  }
}

function sumBy<K>(cells: readonly Cell[], keyOf: (cell: Cell) => K) {
  const sums = new Map<K, number>();
  for (const cell of cells) {
    const key = keyOf(cell);
    sums.set(key, (sums.get(key) ?? 0) + Number(cell.total));
  }
  return sums;
}
