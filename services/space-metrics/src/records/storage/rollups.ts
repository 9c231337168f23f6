import type { Knex } from 'knex';
import { ALL_TEAMS } from '../../people/team.ts';
import { inKeyOrder, insertRows, selectRows } from '../../storage/sql.ts';
import type { Contribution, TallyName } from '../Contribution.ts';
import { addPresence, removePresence } from './presence.ts';

interface TotalRow {
  team: string;
  measure: string;
  day: number;
  total: number;
}

/**
 * Adds the contributions of records to the rollups that live numbers are read from: daily totals by
 * team, presence, and tallies. A contribution is written in the same transaction as its record, so
 * late data corrects its own day and nothing has to be rebuilt.
 *
 * @param replaced - contributions of records that were replaced; at most one per person and day.
 */
export async function recordContributions(
  trx: Knex.Transaction,
  contributions: readonly Contribution[],
  replaced: readonly Contribution[] = [],
): Promise<void> {
  await addTotals(trx, sumTotals(contributions, replaced));
  await addTallies(trx, contributions);
  await removePresence(trx, replaced);
  await addPresence(trx, contributions);
}

/** Removes all contributions of a person from the rollups; tallies do not decrease. */
export async function withdrawPerson(
  trx: Knex.Transaction,
  options: { person: number; contributions: readonly Contribution[] },
): Promise<void> {
  await addTotals(trx, sumTotals([], options.contributions));
  await trx('presence_spans').where({ person: options.person }).delete();
}

function sumTotals(
  added: readonly Contribution[],
  removed: readonly Contribution[],
): TotalRow[] {
  const sums = new Map<string, TotalRow>();
  const add = ({ team, day, totals }: Contribution, sign: 1 | -1) => {
    for (const [measure, amount] of Object.entries(totals)) {
      for (const scope of [team, ALL_TEAMS]) {
        const key = JSON.stringify([scope, measure, day]);
        const sum = sums.get(key) ?? { team: scope, measure, day, total: 0 };
        sum.total += sign * amount;
        sums.set(key, sum);
      }
    }
  };
  added.forEach(each => add(each, 1));
  removed.forEach(each => add(each, -1));
  return inKeyOrder(sums).filter(({ total }) => total !== 0);
}

async function addTotals(
  trx: Knex.Transaction,
  totals: readonly TotalRow[],
): Promise<void> {
  await insertRows(trx, {
    table: 'daily_totals',
    columns: { team: 'TEXT', measure: 'TEXT', day: 'INTEGER', total: 'BIGINT' },
    rows: totals.map(({ team, measure, day, total }) => [
      team,
      measure,
      day,
      total,
    ]),
    then: `ON CONFLICT (team, measure, day)
      DO UPDATE SET total = daily_totals.total + excluded.total`,
  });
}

async function addTallies(
  trx: Knex.Transaction,
  contributions: readonly Contribution[],
): Promise<void> {
  const sums = new Map<string, { name: string; team: string; total: number }>();
  for (const { team, tallies } of contributions) {
    for (const [name, amount] of Object.entries({ records: 1, ...tallies })) {
      const key = JSON.stringify([name, team]);
      const sum = sums.get(key) ?? { name, team, total: 0 };
      sum.total += amount;
      sums.set(key, sum);
    }
  }
  await insertRows(trx, {
    table: 'tallies',
    columns: { name: 'TEXT', team: 'TEXT', total: 'BIGINT' },
    rows: inKeyOrder(sums).map(({ name, team, total }) => [name, team, total]),
    then: `ON CONFLICT (name, team)
      DO UPDATE SET total = tallies.total + excluded.total`,
  });
}

/** Reads the all-time counts by team, sorted by team. */
export async function readTallies(
  knex: Knex,
  name: TallyName,
): Promise<{ team: string; total: number }[]> {
  const rows = await selectRows<{ team: string; total: number | string }>(
    knex,
    'SELECT team, total FROM tallies WHERE name = ? ORDER BY team',
    [name],
  );
  return rows.map(({ team, total }) => ({ team, total: Number(total) }));
}
