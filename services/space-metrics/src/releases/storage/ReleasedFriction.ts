import type { Database } from '@slipway/service-kit';
import {
  type FrictionQuery,
  type FrictionSum,
  MOST_TEXTS,
  type TopFriction,
  costliest,
} from '../../friction/FrictionLog.ts';
import { ALL_TEAMS } from '../../people/team.ts';
import { selectRows } from '../../storage/sql.ts';

interface Row {
  category: string;
  day: number;
  measure: string;
  total: number | string;
}

interface ReleasedFrictionOptions {
  database: Database;
  minimumGroupSize: number;
  /** Releases the batches that are due. */
  closeCycles: () => Promise<void>;
}

/**
 * Reads friction from released batches. Each category is released separately, and a text only if at
 * least as many people as the minimum group size wrote the same one.
 */
export class ReleasedFriction implements TopFriction {
  readonly #options: ReleasedFrictionOptions;

  constructor(options: ReleasedFrictionOptions) {
    this.#options = options;
  }

  async top(query: FrictionQuery): Promise<FrictionSum[]> {
    await this.#options.closeCycles();
    const { from, bindings } = this.#batches(query);
    // Raw SQL, because knex takes longer to build this statement than to run it.
    const rows = await selectRows<Row>(
      this.#options.database.knex,
      `SELECT category, day, measure, SUM(total) AS total ${from}
       GROUP BY category, day, measure`,
      bindings,
    );
    const categories = new Set(rows.map(({ category }) => category));
    const sums = [...categories].map(category => ({
      category,
      ...sumUp(rows.filter(row => row.category === category)),
    }));
    return Promise.all(
      costliest(sums, query.limit).map(async sum => ({
        ...sum,
        texts: await this.#texts(query, sum.category),
      })),
    );
  }

  async #texts(query: FrictionQuery, category: string): Promise<string[]> {
    const { from, bindings } = this.#batches(query);
    const rows = await selectRows<{ description: string }>(
      this.#options.database.knex,
      `SELECT description FROM released_texts
       WHERE batch IN (SELECT batch ${from} AND category = ?)
       ORDER BY RANDOM() LIMIT ?`,
      [...bindings, category, MOST_TEXTS],
    );
    return rows.map(({ description }) => description);
  }

  /**
   * Returns the `FROM` and `WHERE` clauses that select the released batches of a query, and their
   * bindings; append further conditions with `AND`.
   */
  #batches({ team, period }: FrictionQuery): {
    from: string;
    bindings: (string | number)[];
  } {
    const ofTeam = team !== ALL_TEAMS;
    return {
      from: `FROM released WHERE subject = 'friction' AND day >= ? AND day < ?
         AND people >= ? ${ofTeam ? 'AND team = ?' : ''}`,
      bindings: [
        period.start,
        period.end,
        this.#options.minimumGroupSize,
        ...(ofTeam ? [team] : []),
      ],
    };
  }
}

function sumUp(
  rows: readonly Row[],
): Pick<FrictionSum, 'entries' | 'reporters' | 'timeLostMinutes'> {
  const totalsOf = (name: string) =>
    rows
      .filter(({ measure }) => measure === name)
      .map(({ total }) => Number(total));
  const sum = (name: string) =>
    totalsOf(name).reduce((all, total) => all + total, 0);
  return {
    entries: sum('friction.entries'),
    reporters: Math.max(0, ...totalsOf('people')),
    timeLostMinutes: sum('friction.minutes'),
  };
}
