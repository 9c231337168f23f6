import type { Knex } from 'knex';
import type { TallyName } from '../../ledger/Contribution.ts';

/** What was ever counted, by team, in their order. */
export async function readTallies(
  knex: Knex,
  name: TallyName,
): Promise<{ team: string; total: number }[]> {
  const rows: { team: string; total: number | string }[] = await knex('tallies')
    .select('team', 'total')
    .where({ name })
    .orderBy('team');
  return rows.map(({ team, total }) => ({ team, total: Number(total) }));
}
