/** What a load process is to ask for, again and again. */
export interface LoadJob {
  url: string;
  headers: Record<string, string>;
  /** The status expected of every answer; any other ends the run. */
  status: number;
  /** Each asks again as soon as it was answered. */
  connections: number;
  warmUpMs: number;
  measureMs: number;
}

/** What came of it, after warming up. */
export interface LoadResult {
  perSecond: number;
  /** The time from each request to its answer, in milliseconds. */
  latencies: number[];
}
