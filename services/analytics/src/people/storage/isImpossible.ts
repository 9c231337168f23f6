/**
 * Codes of errors that a statement causes by its values, so that repeating it is pointless:
 * the SQLSTATE classes of invalid data, violated constraints and exceeded limits, and
 * SQLite's equivalents.
 */
const IMPOSSIBLE =
  /^(?:(?:21|22|23|54)[0-9A-Z]{3}|SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG)\w*)$/;

/**
 * Checks whether an error means that a database can never store the values. Other failures,
 * such as a lost connection or a full disk, are temporary.
 */
export function isImpossible(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && IMPOSSIBLE.test(code);
}
