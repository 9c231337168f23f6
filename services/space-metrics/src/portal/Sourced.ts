/** An answer of another system, and how it came about. */
export interface Sourced<T> {
  /** Undefined where the other system never answered. */
  readonly value: T | undefined;
  /** Whether it is older than it should be, as the other system does not answer now. */
  readonly stale: boolean;
}
