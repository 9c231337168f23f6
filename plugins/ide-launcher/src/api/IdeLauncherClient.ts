import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
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
import type { IdeDestination, IdeLauncherApi } from './IdeLauncherApi';

/** {@link IdeLauncherApi} over HTTP, with the portal's session. */
export class IdeLauncherClient implements IdeLauncherApi {
  readonly #server: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#server = new ServiceClient({ ...options, pluginId: 'ide-launcher' });
  }

  async listWorkspaces(
    options: CallOptions & { status?: WorkspaceStatus } = {},
  ): Promise<WorkspaceList> {
    const { status, signal } = options;
    return this.#server.json('/workspaces', { query: { status }, signal });
  }

  async getWorkspace(
    workspaceId: string,
    options: CallOptions = {},
  ): Promise<WorkspaceDetails> {
    return this.#server.json(pathOf(workspaceId), options);
  }

  async createWorkspace(
    request: CreateWorkspaceRequest,
  ): Promise<ContractWorkspace> {
    return this.#server.json('/workspaces', { method: 'POST', body: request });
  }

  async deleteWorkspace(workspaceId: string): Promise<void> {
    await this.#server.send(pathOf(workspaceId), { method: 'DELETE' });
  }

  async startWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    return this.#server.json(pathOf(workspaceId, 'start'), { method: 'POST' });
  }

  async stopWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    return this.#server.json(pathOf(workspaceId, 'stop'), { method: 'POST' });
  }

  async updateDevfile(workspaceId: string): Promise<WorkspaceDetails> {
    return this.#server.json(pathOf(workspaceId, 'devfile'), {
      method: 'POST',
    });
  }

  async extendWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    return this.#server.json(pathOf(workspaceId, 'extend'), { method: 'POST' });
  }

  async getLogs(
    workspaceId: string,
    options: CallOptions & { after: number },
  ): Promise<WorkspaceLogs> {
    return this.#server.json(pathOf(workspaceId, 'logs'), {
      query: { after: options.after },
      signal: options.signal,
    });
  }

  async createTicket(
    workspaceId: string,
    destination: IdeDestination = {},
  ): Promise<IdeTicket> {
    return this.#server.json(pathOf(workspaceId, 'ticket'), {
      method: 'POST',
      body: destination,
    });
  }

  async previewDevfile(
    address: string,
    { revision, signal }: CallOptions & { revision?: string } = {},
  ): Promise<DevfilePreview> {
    return this.#server.json('/devfile/preview', {
      method: 'POST',
      body: { devfileUrl: address, ...(revision && { revision }) },
      signal,
    });
  }

  async getOptions(options: CallOptions = {}): Promise<WorkspaceOptions> {
    return this.#server.json('/options', options);
  }

  async acceptUnisolated(): Promise<WorkspaceOptions> {
    return this.#server.json('/isolation/consent', { method: 'POST' });
  }
}

function pathOf(
  workspaceId: string,
  action?: 'start' | 'stop' | 'devfile' | 'extend' | 'logs' | 'ticket',
): string {
  const path = `/workspaces/${encodeURIComponent(workspaceId)}`;
  return action ? `${path}/${action}` : path;
}
