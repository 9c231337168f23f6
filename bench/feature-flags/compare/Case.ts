/** The owner of the credential of a request. */
export type Sender = 'admin' | 'client' | 'production' | 'frontend' | 'nobody';

/** A request that is sent to both servers. */
export interface Case {
  /** Unique name; begins with its group, e.g. `flags: create`. */
  readonly what: string;
  /**
   * Method and path. `{name}` is replaced by the value that {@link keep} stored from an earlier
   * response of the same server, here and in strings of the body.
   */
  readonly send: string;
  readonly as?: Sender;
  /** JSON value; a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the response that later requests need: their paths in the body, by name. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** A sequence of requests. */
export interface CaseGroup {
  readonly name: string;
  readonly cases: readonly Case[];
  /** Delay before the group, because the Unleash server applies some changes asynchronously. */
  readonly waitMs?: number;
}
