import { createApiRef } from '@backstage/frontend-plugin-api';

/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/**
 * Asks the analytics service. Every method rejects with a `ResponseError` when the
 * answer is not 2xx, and with a `TypeError` when there was none.
 */
export interface EventsApi {
  getProjects(options?: CallOptions): Promise<ProjectList>;
  query(
    projectId: string,
    query: EventsQuery,
    options?: CallOptions,
  ): Promise<QueryResult>;
  getTrends(
    projectId: string,
    query: TrendsQuery,
    options?: CallOptions,
  ): Promise<TrendLine[]>;
  getCredentials(
    projectId: string,
    options?: CallOptions,
  ): Promise<Credential[]>;
  getIngestion(projectId: string, options?: CallOptions): Promise<Ingestion>;
  /** Resolves with the secret, which is told this once. */
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

/** Events of SDKs that were lost for one reason, in the last seven days. */
export interface DroppedEvents {
  reason: 'over_limit' | 'no_event_name' | 'no_distinct_id' | 'not_an_object';
  events: number;
  /** ISO 8601. */
  lastAt: string;
}

/** What SDKs sent that queries do not show. */
export interface Ingestion {
  /** Events that wait for a minute in which the project may send them. */
  deferred: number;
  dropped: DroppedEvents[];
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

/** A question about numbers over time, in the service's own words. */
export interface TrendsQuery {
  series: { kind: 'EventsNode'; event?: string; math?: string }[];
  interval: string;
  dateRange: { date_from: string };
  breakdownFilter?: { breakdown: string };
}

/** A number for each interval. */
export interface TrendLine {
  label: string;
  /** The sum of `data`. */
  count: number;
  data: number[];
  /** Start of each interval: unique, and in words. */
  days: string[];
  labels: string[];
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
