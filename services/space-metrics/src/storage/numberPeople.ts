import type { Knex } from 'knex';
import { chunksOf } from './sql.ts';

/**
 * The numbers by which other tables know people; unknown ones get one.
 *
 * @param hashes - as `PersonHasher` makes them.
 * @param options.lock - whether others who lock the same people wait until the end of
 *   the transaction.
 */
export async function numberPeople(
  trx: Knex.Transaction,
  hashes: Iterable<string>,
  { lock = false } = {},
): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set(hashes)].sort();
  const numbers = await findNumbers(trx, wanted, { lock });
  const missing = wanted.filter(hash => !numbers.has(hash));
  for (const part of chunksOf(missing)) {
    const rows = part.map(hash => ({ hash }));
    await trx('people').insert(rows).onConflict('hash').ignore();
  }
  if (missing.length > 0) {
    for (const [hash, number] of await findNumbers(trx, missing)) {
      numbers.set(hash, number);
    }
  }
  return numbers;
}

/** The number of one person, without giving one. */
export async function findPerson(
  knex: Knex,
  hash: string,
): Promise<number | undefined> {
  return (await findNumbers(knex, [hash])).get(hash);
}

async function findNumbers(
  knex: Knex,
  hashes: readonly string[],
  { lock = false } = {},
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (const part of chunksOf(hashes)) {
    const query = knex('people')
      .select('id', 'hash')
      .whereIn('hash', part)
      .orderBy('hash');
    // SQLite has one writer, who waits for nobody.
    const isPostgres = knex.client.config.client === 'pg';
    const rows: { id: number; hash: string }[] = await (lock && isPostgres
      ? query.forNoKeyUpdate()
      : query);
    for (const { id, hash } of rows) {
      numbers.set(hash, id);
    }
  }
  return numbers;
}
