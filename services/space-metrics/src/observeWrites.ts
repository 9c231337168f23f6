import type { Database } from '@slipway/service-kit';

/** A database that says when something was written. */
export function observeWrites(
  database: Database,
  onWrite: () => void,
): Database {
  return {
    client: database.client,
    knex: database.knex,
    async transaction(work) {
      const result = await database.transaction(work);
      onWrite();
      return result;
    },
    isAlive: timeoutMs => database.isAlive(timeoutMs),
    close: () => database.close(),
  };
}
