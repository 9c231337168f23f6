/** A difference between the Unleash server and ours that is there on purpose. */
export interface Difference {
  /** Requests by their names; `*` stands for anything. */
  readonly of: readonly string[];
  /** Places in the response; `*` stands for anything. */
  readonly at: readonly string[];
  readonly reason: string;
}
