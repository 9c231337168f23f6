/** An intentional difference between the Unleash server and ours. */
export interface Difference {
  /** Names of requests; `*` matches anything. */
  readonly of: readonly string[];
  /** Paths in the response; `*` matches anything. */
  readonly at: readonly string[];
  readonly reason: string;
}
