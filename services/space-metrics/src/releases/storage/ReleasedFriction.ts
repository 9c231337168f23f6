import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  type FrictionQuery,
  type FrictionSum,
  MOST_TEXTS,
  type TopFriction,
  costliest,
} from '../../friction/FrictionLog.ts';
import { ALL_TEAMS } from '../../people/team.ts';

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
 * least the minimum group size of people wrote the same one.
 */
export class ReleasedFriction implements TopFriction {
  readonly #options: ReleasedFrictionOptions;

  constructor(options: ReleasedFrictionOptions) {
    this.#options = options;
  }

  async top(query: FrictionQuery): Promise<FrictionSum[]> {
    await this.#options.closeCycles();
    const rows: Row[] = await this.#batches(query)
      .groupBy('category', 'day', 'measure')
      .select('category', 'day', 'measure')
      .sum({ total: 'total' });
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

  #texts(query: FrictionQuery, category: string): Promise<string[]> {
    const { knex } = this.#options.database;
    return knex('released_texts')
      .whereIn(
        'batch',
        this.#batches(query).where({ category }).select('batch'),
      )
      .orderByRaw('RANDOM()')
      .limit(MOST_TEXTS)
      .pluck('description');
  }

  #batches({ team, period }: FrictionQuery): Knex.QueryBuilder {
    const { database, minimumGroupSize } = this.#options;
    return database
      .knex('released')
      .where({ subject: 'friction' })
      .modify(query => team !== ALL_TEAMS && query.where({ team }))
      .whereBetween('day', [period.start, period.end - 1])
      .andWhere('people', '>=', minimumGroupSize);
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
