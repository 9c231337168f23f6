const DATABASES = ['sqlite', 'postgres'] as const;

/** A database as the command line names it. */
export type DatabaseName = (typeof DATABASES)[number];

/** All of them: what `--database` is when left out. */
export const databaseNames: readonly DatabaseName[] = DATABASES;

/**
 * Reads a whole number, which may have `_` or `,` in it.
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

/** Reads the values of `--database`. @throws Error naming the unknown one. */
export function readDatabases(names: readonly string[]): DatabaseName[] {
  return names.map(name => {
    const known = DATABASES.find(database => database === name);
    if (!known) {
      throw new Error(`--database ${name} is neither sqlite nor postgres`);
    }
    return known;
  });
}
