/**
 * Numbers that ClickHouse formats differently from JavaScript or cannot parse, and
 * escapes and line separators that it may write differently within objects.
 */
const ODD = /[[,:]-?(?:\d{16}|[\d.]+e|0\.0000)|\\u|[\u2028\u2029]/;

/**
 * Builds the two maps of an event's properties, if ClickHouse would not build the same ones
 * itself: all properties as text, and the numeric ones as numbers.
 * @param properties - a JSON object, as written by `JSON.stringify`.
 * @returns JSON; undefined if the engine would build the same maps.
 */
export function mapsOf(properties: string): string | undefined {
  if (!ODD.test(properties)) {
    return undefined;
  }
  const { texts, numbers } = propertyMaps(properties);
  // As text, since the engine cannot parse JSON with large integers.
  return JSON.stringify({
    texts,
    numbers: Object.fromEntries(
      Object.entries(numbers).map(([name, value]) => [name, String(value)]),
    ),
  });
}

/** Returns all properties as text, and the numeric ones as numbers. */
export function propertyMaps(properties: string): {
  texts: Record<string, string>;
  numbers: Record<string, number>;
} {
  const texts: Record<string, string> = Object.create(null);
  const numbers: Record<string, number> = Object.create(null);
  const values: Record<string, unknown> = JSON.parse(properties);
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number') {
      numbers[name] = value;
    }
    if (value !== null) {
      texts[name] = typeof value === 'string' ? value : JSON.stringify(value);
    }
  }
  return { texts, numbers };
}
