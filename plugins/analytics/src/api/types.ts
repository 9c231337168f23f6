/** A product whose events are kept apart from those of others. */
export interface Project {
  id: string;
  name: string;
}

/** Projects, and what the reader may do with them. */
export interface ProjectList {
  projects: Project[];
  /** What keeps the events: `chdb` or `sqlite`. */
  engine: string;
  mayManage: boolean;
}

/** Keys send events, tokens ask questions. */
export type CredentialKind = 'capture' | 'query';

/** A key or token without its secret. Times are ISO 8601. */
export interface Credential {
  id: string;
  kind: CredentialKind;
  name: string;
  /** Its last characters; may be empty. */
  hint: string;
  /** True for credentials of the configuration, which cannot be revoked here. */
  isConfigured: boolean;
  createdAt: string;
}

/** A question about events, in the service's own words. */
export interface EventsQuery {
  select: string[];
  event?: string;
  after?: string;
  where?: string[];
  orderBy?: string[];
  limit?: number;
}

/** A table of whatever was asked for. */
export interface QueryResult {
  columns: string[];
  rows: unknown[][];
  hasMore: boolean;
}

/** An event, as a cell of `*` is. Times are ISO 8601, in UTC. */
export interface CapturedEvent {
  uuid: string;
  event: string;
  /** Null in a project that does not tell who did something. */
  distinct_id: string | null;
  timestamp: string;
  created_at: string;
  properties: Record<string, unknown>;
}
