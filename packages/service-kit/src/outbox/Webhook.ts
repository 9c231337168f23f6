/** A receiver of webhooks. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  /** Key of the signature; without one there is none, and `headers` say who sends. */
  secret?: string;
  /** Names of events; `*` is every one. */
  events: string[];
  /** Sent along and over the own ones, e.g. a credential of the receiver; never stored. */
  headers?: Readonly<Record<string, string>>;
}

/** One that somebody registered: what it is sent is always signed. */
export type RegisteredEndpoint = WebhookEndpoint & { secret: string };

/** One event on its way to one endpoint, or at its end. Times are milliseconds since the Unix epoch. */
export interface WebhookDelivery {
  /** Sent along, the same at every attempt: receivers de-duplicate by it. */
  id: string;
  endpointId: string;
  event: string;
  /** JSON, exactly as it is sent and signed. */
  payload: string;
  state: 'pending' | 'delivered' | 'given_up';
  attempts: number;
  createdAt: number;
  nextAttemptAt: number;
  deliveredAt: number | null;
  /** HTTP status of the last answer; null when none came. */
  lastStatus: number | null;
  lastError: string | null;
}

/** What came of one attempt. */
export type AttemptOutcome =
  | { delivered: true; status: number }
  | { delivered: false; status: number | null; error: string };
