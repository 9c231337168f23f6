import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import type {
  ContractWorkspace,
  CreateWorkspaceRequest,
  DevfilePreview,
  IdeTicket,
  WorkspaceDetails,
  WorkspaceList,
  WorkspaceLogs,
  WorkspaceOptions,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import type {
  CallOptions,
  IdeDestination,
  IdeLauncherApi,
} from './IdeLauncherApi';
import { IdeLauncherError } from './IdeLauncherError';

interface Call {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object;
  signal?: AbortSignal;
}

/** {@link IdeLauncherApi} over HTTP, with the portal's session. */
export class IdeLauncherClient implements IdeLauncherApi {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
  }

  async listWorkspaces(
    options: CallOptions & { status?: WorkspaceStatus } = {},
  ): Promise<WorkspaceList> {
    const query = options.status ? `?status=${options.status}` : '';
    return this.#json({ path: `/workspaces${query}`, signal: options.signal });
  }

  async getWorkspace(
    workspaceId: string,
    options: CallOptions = {},
  ): Promise<WorkspaceDetails> {
    return this.#json({ path: pathOf(workspaceId), signal: options.signal });
  }

  async createWorkspace(
    request: CreateWorkspaceRequest,
  ): Promise<ContractWorkspace> {
    return this.#json({ method: 'POST', path: '/workspaces', body: request });
  }

  async deleteWorkspace(workspaceId: string): Promise<void> {
    await this.#send({ method: 'DELETE', path: pathOf(workspaceId) });
  }

  async startWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    return this.#json({ method: 'POST', path: pathOf(workspaceId, 'start') });
  }

  async stopWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    return this.#json({ method: 'POST', path: pathOf(workspaceId, 'stop') });
  }

  async extendWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    return this.#json({ method: 'POST', path: pathOf(workspaceId, 'extend') });
  }

  async getLogs(
    workspaceId: string,
    options: CallOptions & { after: number },
  ): Promise<WorkspaceLogs> {
    return this.#json({
      path: `${pathOf(workspaceId, 'logs')}?after=${options.after}`,
      signal: options.signal,
    });
  }

  async createTicket(
    workspaceId: string,
    destination: IdeDestination = {},
  ): Promise<IdeTicket> {
    return this.#json({
      method: 'POST',
      path: pathOf(workspaceId, 'ticket'),
      body: destination,
    });
  }

  async previewDevfile(
    devfileUrl: string,
    options: CallOptions = {},
  ): Promise<DevfilePreview> {
    return this.#json({
      method: 'POST',
      path: '/devfile/preview',
      body: { devfileUrl },
      signal: options.signal,
    });
  }

  async getOptions(options: CallOptions = {}): Promise<WorkspaceOptions> {
    return this.#json({ path: '/options', signal: options.signal });
  }

  async acceptUnisolated(): Promise<WorkspaceOptions> {
    return this.#json({ method: 'POST', path: '/isolation/consent' });
  }

  async #json<T>(call: Call): Promise<T> {
    const response = await this.#send(call);
    return response.json();
  }

  async #send(call: Call): Promise<Response> {
    const base = await this.#discoveryApi.getBaseUrl('ide-launcher');
    let response: Response;
    try {
      response = await this.#fetchApi.fetch(`${base}${call.path}`, {
        method: call.method ?? 'GET',
        signal: call.signal,
        ...(call.body && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(call.body),
        }),
      });
    } catch (error) {
      if (call.signal?.aborted) {
        throw error;
      }
      throw IdeLauncherError.offline(error);
    }
    if (!response.ok) {
      throw await IdeLauncherError.fromResponse(response);
    }
    return response;
  }
}

function pathOf(
  workspaceId: string,
  action?: 'start' | 'stop' | 'extend' | 'logs' | 'ticket',
): string {
  const path = `/workspaces/${encodeURIComponent(workspaceId)}`;
  return action ? `${path}/${action}` : path;
}
