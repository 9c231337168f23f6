/** Returns the name of a caller for people: `ada`, `token ci` or `the configuration`. */
export function nameOf(by: string): string {
  if (by.startsWith('user:')) {
    return by.slice(by.lastIndexOf('/') + 1);
  }
  return by.startsWith('token:') ? `token ${by.slice(6)}` : `the ${by}`;
}

/** Returns a number with its noun: `1 flag`, `2 flags`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Lists the first names in one line: `a, b and 3 more`. */
export function firstOf(names: readonly string[], limit: number): string {
  const rest = names.length - limit;
  return rest > 0
    ? `${names.slice(0, limit).join(', ')} and ${rest} more`
    : names.join(', ');
}
