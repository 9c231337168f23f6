/** knex writes rows for SQLite as a compound SELECT, which has 500 terms at most. */
export const CHUNK = 500;

/** Rows in as many parts as one statement each may have. */
export function* chunksOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    yield rows.slice(start, start + CHUNK);
  }
}
