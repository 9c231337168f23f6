import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';

/**
 * Queries the analytics service. Every method rejects with a `ResponseError` if the
 * response is not 2xx, and with a `TypeError` if there is none.
 */
export interface EventsApi {
  getProjects(options?: CallOptions): Promise<ProjectList>;
  /** @param options.mayBeOld - true to accept a cached result that is up to five minutes old. */
  query(
    projectId: string,
    query: TableQuery,
    options?: CallOptions & { mayBeOld?: boolean },
  ): Promise<QueryResult>;
  getCredentials(
    projectId: string,
    options?: CallOptions,
  ): Promise<Credential[]>;
  getIngestion(projectId: string, options?: CallOptions): Promise<Ingestion>;
  /** Lists at most 1,000 definitions, with the most events first. */
  getDefinitions(
    projectId: string,
    options: CallOptions & { kind: DefinitionKind; search: string },
  ): Promise<DefinitionList>;
  changeDefinition(
    projectId: string,
    definition: { kind: DefinitionKind; id: string },
    notes: DefinitionNotes,
  ): Promise<void>;
  createProject(project: { id: string; name: string }): Promise<void>;
  changeProject(id: string, changes: ProjectChanges): Promise<void>;
  /** Resolves with the secret; a token's secret is returned only once. */
  createCredential(
    projectId: string,
    credential: NewCredential,
  ): Promise<string>;
  /** Replaces the secret, and resolves with the new one. */
  rotateCredential(projectId: string, id: string): Promise<string>;
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
  /** True if the configuration declares it, and thereby all settings except its test accounts. */
  isConfigured: boolean;
  /** The IANA name of the zone in which its days begin. */
  timeZone: string;
  weekStart: 'sunday' | 'monday';
  /** Days after which its events are deleted; null for the default of the installation. */
  retentionDays: number | null;
  testAccounts: TestAccounts;
}

/** A filter on a property, as the service defines it. */
export interface PropertyFilter {
  key: string;
  /** The owner of the property: `event` (the default), `person` or `group`. */
  type?: string;
  /** The number of the group type, for properties of groups. */
  group_type_index?: number;
  /** `exact` by default. */
  operator?: string;
  value?: string | number | boolean | (string | number | boolean)[] | null;
}

/** The objects that definitions describe: events, or properties of events or of users. */
export const DEFINITION_KINDS = ['event', 'event_property', 'person'] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** An event or property by name, as the service describes it. Times are ISO 8601. */
export interface Definition {
  id: string;
  name: string;
  description: string;
  owner: string | null;
  verified: boolean;
  /** True if forms do not suggest it. */
  hidden: boolean;
  /** When it was first seen. */
  created_at: string;
  last_seen_at: string;
  /** Number of events in the last 30 days. */
  volume_30_day: number;
  /** Number of saved insights that use it. */
  used_by_insights: number;
  /** Type of a property; null for values such as lists. */
  property_type?: 'Boolean' | 'DateTime' | 'Numeric' | 'String' | null;
}

/** A list of definitions, and how many there are in total. */
export interface DefinitionList {
  definitions: Definition[];
  count: number;
}

/** Changes of the notes on a definition; omitted fields remain unchanged. */
export type DefinitionNotes = Partial<
  Pick<Definition, 'description' | 'verified' | 'hidden'> & { owner: string }
>;

/** How a project defines its test accounts. */
interface TestAccounts {
  /** Filters that all events match except those of test accounts. */
  filters: PropertyFilter[];
  /** True if pages apply the filters unless the user turns them off. */
  isDefault: boolean;
}

/** Changes of a project; omitted fields remain unchanged. */
export type ProjectChanges = Partial<
  Pick<
    Project,
    'name' | 'timeZone' | 'weekStart' | 'retentionDays' | 'testAccounts'
  >
>;

/** Projects, and what the user may do with them. */
export interface ProjectList {
  projects: Project[];
  /** The engine that stores the events, such as `chdb` or `sqlite`. */
  engine: string;
  mayManage: boolean;
}

/** Keys send events, tokens run queries. */
export type CredentialKind = 'capture' | 'query';

/** The default scopes of an API token. */
export const READ_SCOPES = ['query', 'export', 'persons'] as const;
/** The scopes of API tokens. */
export const TOKEN_SCOPES = [...READ_SCOPES, 'import'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/**
 * A key or token to be created. Only tokens can have scopes, which default to reading, and
 * an expiry.
 */
export interface NewCredential {
  kind: CredentialKind;
  name: string;
  scopes?: TokenScope[];
  /** ISO 8601. */
  expiresAt?: string;
}

/** A project key, or a token without its secret. Times are ISO 8601. */
export interface Credential extends NewCredential {
  id: string;
  /** The project key, which is public; missing for tokens, and if only its hash is known. */
  key?: string;
  /** Its last characters; may be empty. */
  hint: string;
  /** True for credentials from the configuration, which cannot be revoked here. */
  isConfigured: boolean;
  createdAt: string;
}

/** Returns the newest project key that can be shown. */
export function keyOf(
  credentials: readonly Credential[] | undefined,
): string | undefined {
  return credentials?.find(({ key }) => key !== undefined)?.key;
}

/** SDK events dropped for one reason in the last seven days. */
export interface DroppedEvents {
  reason: 'over_limit' | 'no_event_name' | 'no_distinct_id' | 'not_an_object';
  events: number;
  /** ISO 8601. */
  lastAt: string;
}

/** Requests with a key or path that the service does not know. */
export interface UnknownRequests {
  /** The masked key, or the path. */
  name: string;
  requests: number;
  /** ISO 8601. */
  lastAt: string;
}

/** Statistics about the arriving events of a project. Times are ISO 8601. */
export interface Ingestion {
  /** When the last event arrived; null if none did in the last seven days. */
  lastEventAt: string | null;
  /** Numbers of events in the last 24 hours: all, repeated ones, and ones that had to be changed. */
  received: number;
  repeated: number;
  repaired: number;
  /** The last hour, oldest first. */
  minutes: { at: string; received: number }[];
  /**
   * Number of events of all projects that have yet to be moved to columns, and when the
   * oldest arrived.
   */
  lag: { events: number; oldestAt: string | null };
  /** Number of events queued until the rate limit allows them. */
  deferred: number;
  deferredLimit: number;
  dropped: DroppedEvents[];
  /** Shown to admins only. */
  unknown?: { keys: UnknownRequests[]; paths: UnknownRequests[] };
}

/** A query over events, as the service defines it. */
export interface EventsQuery {
  kind?: 'EventsQuery';
  select: string[];
  event?: string;
  after?: string;
  where?: string[];
  filterTestAccounts?: boolean;
  orderBy?: string[];
  limit?: number;
}

/** A query in HogQL, PostHog's SQL. */
export interface HogqlQuery {
  kind: 'HogQLQuery';
  query: string;
  /** The filters that replace `{filters}` in the query; programs may set more than the period. */
  filters?: {
    filterTestAccounts?: boolean;
    dateRange?: { date_from?: string; date_to?: string };
  };
  /** Values of other placeholders, which programs may set. */
  values?: Record<string, unknown>;
}

/** A query whose result is a table. */
export type TableQuery = EventsQuery | HogqlQuery;

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
