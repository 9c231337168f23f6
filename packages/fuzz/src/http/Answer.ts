/** An answer as it came. */
export interface Answer {
  status: number;
  /** Names in lower case; the last one where a name comes twice. */
  headers: Readonly<Record<string, string>>;
  /** Empty for a stream of events, of which the head alone is awaited. */
  body: Buffer;
}
