/** One order for all writers: who locks rows in the same order never deadlocks. */
export function inKeyOrder<T>(byKey: ReadonlyMap<string, T>): T[] {
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
}
