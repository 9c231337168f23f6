/** Credential of a request. */
export type Sender = 'admin' | 'client' | 'production' | 'frontend' | 'nobody';

/** A request that is sent to both servers. */
export interface Case {
  /** Unique name; begins with its group, e.g. `flags: create`. */
  readonly what: string;
  /**
   * Method and path. `{name}` is replaced by a value from an earlier response of the same server;
   * likewise for strings in the body.
   */
  readonly send: string;
  readonly as?: Sender;
  /** JSON value; a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the response that later requests need: paths in the body by name. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** A sequence of requests. */
export interface CaseGroup {
  readonly name: string;
  readonly cases: readonly Case[];
  /** Delay before the group, for asynchronous changes of the Unleash server. */
  readonly waitMs?: number;
}
