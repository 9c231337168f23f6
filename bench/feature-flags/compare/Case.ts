/** The sender of a request. */
export type Sender = 'admin' | 'client' | 'production' | 'frontend' | 'nobody';

/** A request that both servers get. */
export interface Case {
  /** Unique; begins with its group, e.g. `flags: create`. */
  readonly what: string;
  /**
   * Method and path. `{name}` stands for a value that an earlier response of the same server had,
   * here and as a whole text in the body.
   */
  readonly send: string;
  readonly as?: Sender;
  /** JSON; a text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the response that later requests need: the path in the body by the name. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** Requests in their order. */
export interface CaseGroup {
  readonly name: string;
  readonly cases: readonly Case[];
  /** How long the group waits before, for what the Unleash server does later. */
  readonly waitMs?: number;
}
