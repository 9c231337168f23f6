import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
import type {
  Credential,
  Definition,
  DefinitionKind,
  DefinitionList,
  DefinitionNotes,
  DroppedEvents,
  EventsApi,
  Ingestion,
  NewCredential,
  Project,
  ProjectChanges,
  ProjectList,
  PropertyFilter,
  QueryResult,
  TableQuery,
  UnknownRequests,
} from './EventsApi';

/** Maximum number of definitions that the service returns. */
const MAX_DEFINITIONS = 1_000;

/** Implements {@link EventsApi} over HTTP, through the portal's proxy with its session. */
export class EventsClient implements EventsApi {
  readonly #projects: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    const path = '/analytics/api/projects';
    this.#projects = new ServiceClient({ ...options, path });
  }

  async getProjects(options?: CallOptions): Promise<ProjectList> {
    const { projects, engine, may_manage } = await this.#projects.json<{
      projects: {
        id: string;
        name: string;
        hides_people: boolean;
        is_configured: boolean;
        time_zone: string;
        week_start: Project['weekStart'];
        retention_days?: number;
        test_account_filters: PropertyFilter[];
        test_account_filters_default_checked: boolean;
      }[];
      engine: string;
      may_manage: boolean;
    }>('', options);
    return {
      projects: projects.map(project => ({
        id: project.id,
        name: project.name,
        hidesPeople: project.hides_people,
        isConfigured: project.is_configured,
        timeZone: project.time_zone,
        weekStart: project.week_start,
        retentionDays: project.retention_days ?? null,
        testAccounts: {
          filters: project.test_account_filters,
          isDefault: project.test_account_filters_default_checked,
        },
      })),
      engine,
      mayManage: may_manage,
    };
  }

  async query(
    projectId: string,
    query: TableQuery,
    options: CallOptions & { mayBeOld?: boolean } = {},
  ): Promise<QueryResult> {
    const { mayBeOld, ...call } = options;
    const { columns, results, hasMore } = await this.#projects.json<{
      columns: string[];
      results: unknown[][];
      hasMore: boolean;
    }>(`/${encodeURIComponent(projectId)}/query`, {
      ...call,
      method: 'POST',
      body: {
        query: { kind: 'EventsQuery', ...query },
        ...(mayBeOld && { refresh: 'lazy_async' }),
      },
    });
    return { columns, rows: results, hasMore };
  }

  async getCredentials(
    projectId: string,
    options?: CallOptions,
  ): Promise<Credential[]> {
    const { credentials } = await this.#projects.json<{
      credentials: (Omit<
        Credential,
        'expiresAt' | 'isConfigured' | 'createdAt'
      > & { origin: string; created_at: string; expires_at?: string })[];
    }>(credentialsPath(projectId), options);
    return credentials.map(
      ({ origin, created_at: createdAt, expires_at: expiresAt, ...rest }) => ({
        ...rest,
        createdAt,
        ...(expiresAt && { expiresAt }),
        isConfigured: origin === 'configuration',
      }),
    );
  }

  async getIngestion(
    projectId: string,
    options?: CallOptions,
  ): Promise<Ingestion> {
    const body = await this.#projects.json<IngestionBody>(
      `/${encodeURIComponent(projectId)}/ingestion`,
      options,
    );
    const { last_event_at: lastEventAt, lag, unknown, ...counts } = body;
    return {
      lastEventAt,
      received: counts.received,
      repeated: counts.repeated,
      repaired: counts.repaired,
      minutes: counts.minutes,
      lag: { events: lag.events, oldestAt: lag.oldest_at },
      deferred: counts.deferred,
      deferredLimit: counts.deferred_limit,
      dropped: counts.dropped.map(withLastAt),
      ...(unknown && {
        unknown: {
          keys: unknown.keys.map(withLastAt),
          paths: unknown.paths.map(withLastAt),
        },
      }),
    };
  }

  async getDefinitions(
    projectId: string,
    {
      kind,
      search,
      ...call
    }: CallOptions & { kind: DefinitionKind; search: string },
  ): Promise<DefinitionList> {
    const { results, count } = await this.#projects.json<{
      results: Definition[];
      count: number;
    }>(definitionsPath(projectId, kind), {
      ...call,
      query: {
        limit: String(MAX_DEFINITIONS),
        ...(search && { search }),
        ...(kind === 'person' && { type: 'person' }),
      },
    });
    return { definitions: results, count };
  }

  async changeDefinition(
    projectId: string,
    { kind, id }: { kind: DefinitionKind; id: string },
    notes: DefinitionNotes,
  ): Promise<void> {
    await this.#projects.json(
      `${definitionsPath(projectId, kind)}/${encodeURIComponent(id)}`,
      { method: 'PATCH', body: notes },
    );
  }

  async createProject(body: { id: string; name: string }): Promise<void> {
    await this.#projects.json('', { method: 'POST', body });
  }

  async changeProject(id: string, changes: ProjectChanges): Promise<void> {
    const { name, timeZone, weekStart, retentionDays, testAccounts } = changes;
    await this.#projects.json(`/${encodeURIComponent(id)}`, {
      method: 'PATCH',
      body: {
        name,
        time_zone: timeZone,
        week_start: weekStart,
        retention_days: retentionDays,
        test_account_filters: testAccounts?.filters,
        test_account_filters_default_checked: testAccounts?.isDefault,
      },
    });
  }

  async createCredential(
    projectId: string,
    { expiresAt, ...credential }: NewCredential,
  ): Promise<string> {
    const { secret } = await this.#projects.json<{ secret: string }>(
      credentialsPath(projectId),
      {
        method: 'POST',
        body: { ...credential, ...(expiresAt && { expires_at: expiresAt }) },
      },
    );
    return secret;
  }

  async rotateCredential(projectId: string, id: string): Promise<string> {
    const { secret } = await this.#projects.json<{ secret: string }>(
      `${credentialsPath(projectId)}/${encodeURIComponent(id)}/rotate`,
      { method: 'POST' },
    );
    return secret;
  }

  async revokeCredential(projectId: string, id: string): Promise<void> {
    await this.#projects.json(
      `${credentialsPath(projectId)}/${encodeURIComponent(id)}`,
      { method: 'DELETE' },
    );
  }
}

/** An object in the format in which the service sends it. */
type Sent<T> = Omit<T, 'lastAt'> & { last_at: string };

interface IngestionBody extends Pick<
  Ingestion,
  'received' | 'repeated' | 'repaired' | 'minutes' | 'deferred'
> {
  last_event_at: string | null;
  lag: { events: number; oldest_at: string | null };
  deferred_limit: number;
  dropped: Sent<DroppedEvents>[];
  unknown?: { keys: Sent<UnknownRequests>[]; paths: Sent<UnknownRequests>[] };
}

function withLastAt<T extends { last_at: string }>({
  last_at: lastAt,
  ...rest
}: T): Omit<T, 'last_at'> & { lastAt: string } {
  return { ...rest, lastAt };
}

function definitionsPath(projectId: string, kind: DefinitionKind): string {
  const collection =
    kind === 'event' ? 'event_definitions' : 'property_definitions';
  return `/${encodeURIComponent(projectId)}/${collection}`;
}

function credentialsPath(projectId: string): string {
  return `/${encodeURIComponent(projectId)}/credentials`;
}
