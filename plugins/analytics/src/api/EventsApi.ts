import { createApiRef } from '@backstage/frontend-plugin-api';

/** Options of every call. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/**
 * Queries the analytics service. Every method rejects with a `ResponseError` if the
 * response is not 2xx, and with a `TypeError` if there is none.
 */
export interface EventsApi {
  getProjects(options?: CallOptions): Promise<ProjectList>;
  query(
    projectId: string,
    query: EventsQuery,
    options?: CallOptions,
  ): Promise<QueryResult>;
  getCredentials(
    projectId: string,
    options?: CallOptions,
  ): Promise<Credential[]>;
  getIngestion(projectId: string, options?: CallOptions): Promise<Ingestion>;
  /** Resolves with the secret, which is returned only once. */
  createCredential(
    projectId: string,
    credential: { kind: CredentialKind; name: string },
  ): Promise<string>;
  revokeCredential(projectId: string, id: string): Promise<void>;
}

/** {@link EventsApi} */
export const eventsApiRef = createApiRef<EventsApi>().with({
  id: 'plugin.analytics.events',
  pluginId: 'analytics',
});

/** A product whose events are kept separate from those of others. */
export interface Project {
  id: string;
  name: string;
  /** True if results never reveal who did something. */
  hidesPeople: boolean;
}

/** Projects, and what the user may do with them. */
export interface ProjectList {
  projects: Project[];
  /** The engine that stores the events, such as `chdb` or `sqlite`. */
  engine: string;
  mayManage: boolean;
}

/** Keys send events, tokens run queries. */
export type CredentialKind = 'capture' | 'query';

/** A key or token without its secret. Times are ISO 8601. */
export interface Credential {
  id: string;
  kind: CredentialKind;
  name: string;
  /** Its last characters; may be empty. */
  hint: string;
  /** True for credentials from the configuration, which cannot be revoked here. */
  isConfigured: boolean;
  createdAt: string;
}

/** SDK events dropped for one reason in the last seven days. */
export interface DroppedEvents {
  reason: 'over_limit' | 'no_event_name' | 'no_distinct_id' | 'not_an_object';
  events: number;
  /** ISO 8601. */
  lastAt: string;
}

/** SDK events that queries do not show. */
export interface Ingestion {
  /** Number of events queued until the rate limit allows them. */
  deferred: number;
  dropped: DroppedEvents[];
}

/** A query over events, as the service defines it. */
export interface EventsQuery {
  select: string[];
  event?: string;
  after?: string;
  where?: string[];
  orderBy?: string[];
  limit?: number;
}

/** The result of a query as a table. */
export interface QueryResult {
  columns: string[];
  rows: unknown[][];
  hasMore: boolean;
}

/** An event, as in a cell of `*`. Times are ISO 8601, in UTC. */
export interface CapturedEvent {
  uuid: string;
  event: string;
  /** Null in a project that hides who did something. */
  distinct_id: string | null;
  timestamp: string;
  created_at: string;
  properties: Record<string, unknown>;
}
