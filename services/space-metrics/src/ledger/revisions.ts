import type { Knex } from 'knex';

/** What is remembered by those who read it, and must say when it changed. */
export type Revised = 'first_commits' | 'release_blocks';

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

/** To be called in the transaction of each change. */
export async function countRevision(
  trx: Knex.Transaction,
  name: Revised,
): Promise<void> {
  await trx.raw(
    `INSERT INTO revisions (name, value) VALUES (?, 1)
     ON CONFLICT (name) DO UPDATE SET value = revisions.value + 1`,
    [name],
  );
}
