/** What a load process is to send. */
export interface LoadJob {
  /** `http://host:port`. */
  origin: string;
  path: string;
  headers: Record<string, string>;
  /** Each asks again as soon as it was answered. */
  connections: number;
  warmUpMs: number;
  measureMs: number;
  /** The people and teams whose pulse surveys to send; reads when left out. */
  submissions?: { people: number; teams: number };
}

/** What came of it. */
export interface LoadResult {
  /** Good answers, those while warming up included. */
  acknowledged: number;
  /** Good answers a second, after warming up. */
  perSecond: number;
  /** The latencies of good answers after warming up, in milliseconds. */
  latencies: number[];
}
