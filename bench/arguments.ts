const DATABASES = ['sqlite', 'postgres'] as const;

/** A database name on the command line. */
export type DatabaseName = (typeof DATABASES)[number];

/** All databases: the default of `--database`. */
export const databaseNames: readonly DatabaseName[] = DATABASES;

/**
 * Parses an integer, which may contain `_` or `,`.
 *
 * @throws Error naming the argument.
 */
export function readCount(name: string, text: string): number {
  const value = Number(text.replaceAll(/[_,]/g, ''));
  if (!Number.isInteger(value) || value < 1) {
    throw new Error(`--${name} ${text} is no whole number from 1`);
  }
  return value;
}

/** Parses the values of `--database`. @throws Error naming an unknown value. */
export function readDatabases(names: readonly string[]): DatabaseName[] {
  return names.map(name => {
    const known = DATABASES.find(database => database === name);
    if (!known) {
      throw new Error(`--database ${name} is neither sqlite nor postgres`);
    }
    return known;
  });
}
