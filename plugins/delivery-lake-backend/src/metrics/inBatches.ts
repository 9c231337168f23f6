/** Maps with at most so many under way at once; answers in the order of the items. */
export async function inBatches<T, R>(
  items: readonly T[],
  size: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += size) {
    results.push(
      ...(await Promise.all(items.slice(from, from + size).map(map))),
    );
  }
  return results;
}
