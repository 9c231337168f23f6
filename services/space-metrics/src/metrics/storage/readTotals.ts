import type { Knex } from 'knex';
import type { Measure } from '../../records/Contribution.ts';
import { jsonList, jsonMember, selectRows } from '../../storage/sql.ts';
import type { Totals } from '../Numbers.ts';

/** What to sum up, over which days of a team: both days inclusive. */
export interface TotalsQuestion {
  readonly measures: readonly Measure[];
  readonly team: string;
  readonly from: number;
  readonly to: number;
}

const ASKED = [
  jsonMember(0, { name: 'key', type: 'INTEGER' }),
  jsonMember(1, { name: 'measure', type: 'TEXT' }),
  jsonMember(2, { name: 'team', type: 'TEXT' }),
  jsonMember(3, { name: 'first', type: 'INTEGER' }),
  jsonMember(4, { name: 'last', type: 'INTEGER' }),
];

/**
 * Answers all questions by one statement, which looks each sum up by the primary key:
 * joined and grouped as one, PostgreSQL would rather read the whole table.
 */
export async function readTotals(
  knex: Knex,
  questions: readonly TotalsQuestion[],
): Promise<Totals[]> {
  const asked = questions.flatMap(({ measures, team, from, to }, key) =>
    measures.map(measure => [key, measure, team, from, to]),
  );
  const rows = await selectRows<{
    key: number;
    measure: Measure;
    total: number | string | null;
  }>(
    knex,
    `WITH asked AS MATERIALIZED (
       SELECT ${ASKED.join(', ')} FROM ${jsonList(knex)})
     SELECT key, measure, (SELECT SUM(d.total) FROM daily_totals d
       WHERE d.team = asked.team AND d.measure = asked.measure
         AND d.day BETWEEN asked.first AND asked.last) AS total
     FROM asked`,
    [JSON.stringify(asked)],
  );
  const totals: Totals[] = questions.map(() => ({}));
  for (const { key, measure, total } of rows) {
    if (total !== null) {
      totals[key][measure] = Number(total);
    }
  }
  return totals;
}
