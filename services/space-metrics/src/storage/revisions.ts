import type { Knex } from 'knex';
import { selectRows } from './sql.ts';

/** What is remembered by those who read it, or numbered, and must say when it changed. */
export type Revised = 'first_commits' | 'batches';

/**
 * How often something changed. Whoever reads it before what it counts, and keeps both,
 * may use what it read for as long as the number is the same, whichever replica writes.
 */
export async function readRevision(knex: Knex, name: Revised): Promise<number> {
  const row: { value: number | string } | undefined = await knex('revisions')
    .where({ name })
    .first('value');
  return Number(row?.value ?? 0);
}

/**
 * Counts a change, in the transaction that makes it. Until that ends, others who count
 * the same wait.
 *
 * @returns the new number.
 */
export async function countRevision(
  trx: Knex.Transaction,
  name: Revised,
  by = 1,
): Promise<number> {
  const [{ value }] = await selectRows<{ value: number | string }>(
    trx,
    `INSERT INTO revisions (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = revisions.value + excluded.value
     RETURNING value`,
    [name, by],
  );
  return Number(value);
}
