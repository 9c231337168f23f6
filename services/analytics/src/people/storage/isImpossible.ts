/**
 * Codes of errors that recur however often a statement is repeated, because of its values: SQLSTATE
 * classes of invalid data, of violated constraints and of exceeded limits, and those of SQLite.
 */
const IMPOSSIBLE =
  /^(?:(?:21|22|23|54)[0-9A-Z]{3}|SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG)\w*)$/;

/**
 * Checks whether a database can never store what it was given; every other failure, such as a lost
 * connection or a full disk, may end.
 */
export function isImpossible(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && IMPOSSIBLE.test(code);
}
