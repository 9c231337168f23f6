import type { Knex } from 'knex';
import { chunksOf } from './sql.ts';

/**
 * Returns the numbers by which other tables identify people; assigns numbers to new people. None of
 * these people is deleted before the end of the transaction; a person who is being deleted gets a
 * new number.
 *
 * @param hashes - as computed by `PersonHasher`.
 * @param options.lock - whether other transactions that lock the same people wait until the end of
 * this one.
 */
export async function numberPeople(
  trx: Knex.Transaction,
  hashes: Iterable<string>,
  { lock = false } = {},
): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set(hashes)].sort();
  const numbers = await findNumbers(trx, wanted, lock ? 'update' : 'share');
  const missing = wanted.filter(hash => !numbers.has(hash));
  for (const part of chunksOf(missing)) {
    const rows = part.map(hash => ({ hash }));
    await trx('people').insert(rows).onConflict('hash').ignore();
  }
  if (missing.length > 0) {
    for (const [hash, number] of await findNumbers(trx, missing, 'share')) {
      numbers.set(hash, number);
    }
  }
  return numbers;
}

/** Returns the number of a person, without assigning one. */
export async function findPerson(
  knex: Knex,
  hash: string,
): Promise<number | undefined> {
  return (await findNumbers(knex, [hash])).get(hash);
}

async function findNumbers(
  knex: Knex,
  hashes: readonly string[],
  lock?: 'share' | 'update',
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  // SQLite has a single writer, which needs no lock.
  const isPostgres = knex.client.config.client === 'pg';
  for (const part of chunksOf(hashes)) {
    const query = knex('people')
      .select('id', 'hash')
      .whereIn('hash', part)
      .orderBy('hash');
    const locked = {
      share: () => query.forKeyShare(),
      update: () => query.forNoKeyUpdate(),
    };
    const rows: { id: number; hash: string }[] = await (lock && isPostgres
      ? locked[lock]()
      : query);
    for (const { id, hash } of rows) {
      numbers.set(hash, id);
    }
  }
  return numbers;
}
