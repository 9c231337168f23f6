/**
 * Index of the last item whose key is below the limit, in items ordered by key;
 * -1 when there is none.
 */
export function lastIndexBefore<T>(
  items: readonly T[],
  keyOf: (item: T) => number,
  limit: number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyOf(items[middle]) < limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}
