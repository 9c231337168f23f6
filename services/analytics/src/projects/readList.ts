/** Reads a column with a JSON list; undefined if it is null. */
export function readList(json: string | null): string[] | undefined {
  return json === null ? undefined : JSON.parse(json);
}
