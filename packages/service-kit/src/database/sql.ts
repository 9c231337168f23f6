/**
 * Splits rows into chunks of a size that one statement accepts: on SQLite, knex inserts rows with a
 * compound SELECT of at most 500 terms, and a statement has at most 32,766 values.
 */
export function* chunksOf<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < rows.length; start += size) {
    yield rows.slice(start, start + size);
  }
}

/**
 * Returns the arguments of knex's `whereRaw` for the condition that a column contains a text,
 * ignoring case. The database lowercases both sides, because SQLite only lowercases ASCII letters.
 */
export function contains(
  column: string,
  text: string,
): [condition: string, values: string[]] {
  return [
    "lower(??) LIKE lower(?) ESCAPE '\\'",
    [column, `%${text.replace(/[\\%_]/g, '\\$&')}%`],
  ];
}
