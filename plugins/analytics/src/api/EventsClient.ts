import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { ServiceClient } from '@slipway/app-react';
import type {
  CallOptions,
  Credential,
  CredentialKind,
  DroppedEvents,
  EventsApi,
  EventsQuery,
  Ingestion,
  ProjectList,
  QueryResult,
} from './EventsApi';

/** Implements {@link EventsApi} over HTTP, through the portal's proxy with its session. */
export class EventsClient implements EventsApi {
  readonly #projects: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    const path = '/analytics/api/projects';
    this.#projects = new ServiceClient({ ...options, path });
  }

  async getProjects(options?: CallOptions): Promise<ProjectList> {
    const { projects, engine, may_manage } = await this.#projects.json<{
      projects: { id: string; name: string; hides_people: boolean }[];
      engine: string;
      may_manage: boolean;
    }>('', options);
    return {
      projects: projects.map(({ hides_people: hidesPeople, ...rest }) => ({
        ...rest,
        hidesPeople,
      })),
      engine,
      mayManage: may_manage,
    };
  }

  async query(
    projectId: string,
    query: EventsQuery,
    options?: CallOptions,
  ): Promise<QueryResult> {
    const { columns, results, hasMore } = await this.#projects.json<{
      columns: string[];
      results: unknown[][];
      hasMore: boolean;
    }>(`/${encodeURIComponent(projectId)}/query`, {
      ...options,
      method: 'POST',
      body: { query: { kind: 'EventsQuery', ...query } },
    });
    return { columns, rows: results, hasMore };
  }

  async getCredentials(
    projectId: string,
    options?: CallOptions,
  ): Promise<Credential[]> {
    const { credentials } = await this.#projects.json<{
      credentials: {
        id: string;
        kind: CredentialKind;
        name: string;
        hint: string;
        origin: string;
        created_at: string;
      }[];
    }>(credentialsPath(projectId), options);
    return credentials.map(({ origin, created_at: createdAt, ...rest }) => ({
      ...rest,
      createdAt,
      isConfigured: origin === 'configuration',
    }));
  }

  async getIngestion(
    projectId: string,
    options?: CallOptions,
  ): Promise<Ingestion> {
    const { deferred, dropped } = await this.#projects.json<{
      deferred: number;
      dropped: (Omit<DroppedEvents, 'lastAt'> & { last_at: string })[];
    }>(`/${encodeURIComponent(projectId)}/ingestion`, options);
    return {
      deferred,
      dropped: dropped.map(({ last_at: lastAt, ...rest }) => ({
        ...rest,
        lastAt,
      })),
    };
  }

  async createCredential(
    projectId: string,
    credential: { kind: CredentialKind; name: string },
  ): Promise<string> {
    const { secret } = await this.#projects.json<{ secret: string }>(
      credentialsPath(projectId),
      { method: 'POST', body: credential },
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

function credentialsPath(projectId: string): string {
  return `/${encodeURIComponent(projectId)}/credentials`;
}
