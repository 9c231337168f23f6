import type { Knex } from 'knex';
import type { Measure } from '../ledger/Contribution.ts';
import { jsonList, jsonMember } from '../ledger/jsonList.ts';
import { selectRows } from '../ledger/selectRows.ts';
import type { TeamDays } from '../privacy/Releases.ts';
import type { Totals } from './MetricsStore.ts';

/** What of some days to sum up. */
export interface TotalsQuestion {
  readonly measures: readonly Measure[];
  /** Taken together. */
  readonly days: readonly TeamDays[];
}

const ASKED = [
  jsonMember(0, { name: 'key', type: 'INTEGER' }),
  jsonMember(1, { name: 'team', type: 'TEXT' }),
  jsonMember(2, { name: 'first', type: 'INTEGER' }),
  jsonMember(3, { name: 'last', type: 'INTEGER' }),
];
const WANTED = [
  jsonMember(0, { name: 'key', type: 'INTEGER' }),
  jsonMember(1, { name: 'measure', type: 'TEXT' }),
];

/**
 * Answers all questions by one statement, which looks each sum up by the primary key:
 * joined and grouped as one, PostgreSQL would rather read the whole table.
 */
export async function readTotals(
  knex: Knex,
  questions: readonly TotalsQuestion[],
): Promise<Totals[]> {
  const asked = questions.flatMap(({ days }, key) =>
    days.map(({ team, from, to }) => [key, team, from, to]),
  );
  const wanted = questions.flatMap(({ measures }, key) =>
    measures.map(measure => [key, measure]),
  );
  const totals: Totals[] = questions.map(() => ({}));
  if (asked.length === 0) {
    return totals;
  }
  const rows = await selectRows<{
    key: number;
    measure: Measure;
    total: number | string | null;
  }>(
    knex,
    `WITH asked AS MATERIALIZED (SELECT ${ASKED.join(', ')} FROM ${jsonList(
      knex,
    )}),
       wanted AS MATERIALIZED (SELECT ${WANTED.join(', ')} FROM ${jsonList(
      knex,
    )})
     SELECT key, measure, SUM(total) AS total FROM (
       SELECT asked.key AS key, wanted.measure AS measure,
         (SELECT SUM(d.total) FROM daily_totals d
          WHERE d.team = asked.team AND d.measure = wanted.measure
            AND d.day BETWEEN asked.first AND asked.last) AS total
       FROM asked JOIN wanted ON wanted.key = asked.key) AS sums
     GROUP BY key, measure`,
    [JSON.stringify(asked), JSON.stringify(wanted)],
  );
  for (const { key, measure, total } of rows) {
    if (total !== null) {
      totals[key][measure] = Number(total);
    }
  }
  return totals;
}
