/** Returns the first name that differs only in case or in up to two characters; undefined if none does. */
export function nearest(
  name: string,
  names: readonly string[],
): string | undefined {
  const close = (other: string) => distance(name, other) <= 2;
  return names.find(
    other => other.toLowerCase() === name.toLowerCase() || close(other),
  );
}

/** Returns the edit distance: the number of characters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, left] of Array.from(one).entries()) {
    const line = [row + 1];
    for (const [column, right] of Array.from(other).entries()) {
      line.push(
        Math.min(
          before[column] + (left === right ? 0 : 1),
          before[column + 1] + 1,
          line[column] + 1,
        ),
      );
    }
    before = line;
  }
  return before.at(-1)!;
}
