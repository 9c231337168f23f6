import { InputError } from '@backstage/errors';

/** A page has few flags; each is looked up and counted as used. */
const MOST_NAMES = 100;
/** The longest name that the service accepts. */
const LONGEST_NAME = 100;

/**
 * Reads the names of flags from a query parameter, `a,b`.
 *
 * @throws InputError
 */
export function readNames(value: unknown): string[] {
  if (typeof value !== 'string' || value === '') {
    throw new InputError(
      'names: must list the names of flags, separated by commas',
    );
  }
  const names = [...new Set(value.split(','))];
  if (names.length > MOST_NAMES) {
    throw new InputError(`names: must list at most ${MOST_NAMES} flags`);
  }
  if (names.some(({ length }) => length === 0 || length > LONGEST_NAME)) {
    throw new InputError(
      `names: each name must have 1 to ${LONGEST_NAME} characters`,
    );
  }
  return names;
}
