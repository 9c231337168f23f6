import { ResponseError } from '@backstage/errors';
import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import type { CallOptions, EventsApi } from './EventsApi';
import type {
  Credential,
  CredentialKind,
  EventsQuery,
  ProjectList,
  QueryResult,
} from './types';

interface Call extends CallOptions {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: object;
}

/** {@link EventsApi} over HTTP: through the portal's proxy, with its session. */
export class EventsClient implements EventsApi {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
  }

  async getProjects(options?: CallOptions): Promise<ProjectList> {
    const { projects, engine, may_manage } = await this.#json<{
      projects: ProjectList['projects'];
      engine: string;
      may_manage: boolean;
    }>('', options);
    return { projects, engine, mayManage: may_manage };
  }

  async query(
    projectId: string,
    query: EventsQuery,
    options?: CallOptions,
  ): Promise<QueryResult> {
    const { columns, results, hasMore } = await this.#json<{
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
    const { credentials } = await this.#json<{
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

  async createCredential(
    projectId: string,
    credential: { kind: CredentialKind; name: string },
  ): Promise<string> {
    const { secret } = await this.#json<{ secret: string }>(
      credentialsPath(projectId),
      { method: 'POST', body: credential },
    );
    return secret;
  }

  async revokeCredential(projectId: string, id: string): Promise<void> {
    await this.#json(
      `${credentialsPath(projectId)}/${encodeURIComponent(id)}`,
      { method: 'DELETE' },
    );
  }

  async #json<T>(path: string, call: Call = {}): Promise<T> {
    const { method, body, signal } = call;
    const proxy = await this.#discoveryApi.getBaseUrl('proxy');
    const response = await this.#fetchApi.fetch(
      `${proxy}/analytics/api/projects${path}`,
      {
        method,
        signal,
        ...(body && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      },
    );
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return response.json();
  }
}

function credentialsPath(projectId: string): string {
  return `/${encodeURIComponent(projectId)}/credentials`;
}
