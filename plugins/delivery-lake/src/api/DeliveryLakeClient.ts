import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
import type {
  BreakdownResponse,
  ConnectionResponse,
  ConnectionsResponse,
  ConnectionWithSecret,
  CreatedConnectionResponse,
  DeploymentResponse,
  DeploymentsResponse,
  DoraMetricsResponse,
  DoraSeriesResponse,
  Sender,
  ImprovementsResponse,
  IncidentDetails,
  IncidentsResponse,
  LakeStatusResponse,
  RunningResponse,
  ScopesResponse,
  SeriesInterval,
  UnmatchedResponse,
} from '@slipway/plugin-delivery-lake-common';
import type {
  DeliveryLakeApi,
  DeploymentsQuery,
  IncidentsQuery,
  LakeQuery,
} from './DeliveryLakeApi';

/** {@link DeliveryLakeApi} over HTTP, with the portal's session. */
export class DeliveryLakeClient implements DeliveryLakeApi {
  readonly #lake: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#lake = new ServiceClient({ ...options, pluginId: 'delivery-lake' });
  }

  async getStatus(options?: CallOptions): Promise<LakeStatusResponse> {
    return this.#lake.json('/status', options);
  }

  async getScopes(options?: CallOptions): Promise<ScopesResponse> {
    return this.#lake.json('/scopes', options);
  }

  async getMetrics(
    query: LakeQuery,
    options?: CallOptions,
  ): Promise<DoraMetricsResponse> {
    return this.#lake.json('/dora-metrics', {
      query: { ...query },
      ...options,
    });
  }

  async getSeries(
    query: LakeQuery & { interval: SeriesInterval },
    options?: CallOptions,
  ): Promise<DoraSeriesResponse> {
    return this.#lake.json('/dora-series', { query: { ...query }, ...options });
  }

  async getBreakdown(
    query: LakeQuery & { by: BreakdownResponse['by'] },
    options?: CallOptions,
  ): Promise<BreakdownResponse> {
    return this.#lake.json('/breakdown', { query: { ...query }, ...options });
  }

  async getImprovements(
    query: LakeQuery,
    options?: CallOptions,
  ): Promise<ImprovementsResponse> {
    return this.#lake.json('/improvements', {
      query: { ...query },
      ...options,
    });
  }

  async getRunning(
    scope: Pick<LakeQuery, 'team' | 'project' | 'service'>,
    options?: CallOptions,
  ): Promise<RunningResponse> {
    return this.#lake.json('/running', { query: { ...scope }, ...options });
  }

  async listDeployments(
    query: DeploymentsQuery,
    options?: CallOptions,
  ): Promise<DeploymentsResponse> {
    return this.#lake.json('/deployments', { query: { ...query }, ...options });
  }

  async getDeployment(
    id: string,
    options?: CallOptions,
  ): Promise<DeploymentResponse> {
    return this.#lake.json(`/deployments/${encodeURIComponent(id)}`, options);
  }

  async listIncidents(
    query: IncidentsQuery,
    options?: CallOptions,
  ): Promise<IncidentsResponse> {
    return this.#lake.json('/incidents', { query: { ...query }, ...options });
  }

  async getIncident(
    id: string,
    options?: CallOptions,
  ): Promise<IncidentDetails> {
    return this.#lake.json(`/incidents/${encodeURIComponent(id)}`, options);
  }

  async resolveIncident(id: string): Promise<IncidentDetails> {
    return this.#resolution(id, 'PUT');
  }

  async reopenIncident(id: string): Promise<IncidentDetails> {
    return this.#resolution(id, 'DELETE');
  }

  #resolution(id: string, method: 'PUT' | 'DELETE'): Promise<IncidentDetails> {
    return this.#lake.json(`/incidents/${encodeURIComponent(id)}/resolution`, {
      method,
    });
  }

  async getUnmatched(options?: CallOptions): Promise<UnmatchedResponse> {
    return this.#lake.json('/unmatched', options);
  }

  async getConnections(options?: CallOptions): Promise<ConnectionsResponse> {
    return this.#lake.json('/connections', options);
  }

  async connect(repository: {
    forge: Sender;
    repository: string;
  }): Promise<CreatedConnectionResponse> {
    return this.#lake.json('/connections', {
      method: 'POST',
      body: repository,
    });
  }

  async replaceConnectionSecret(id: string): Promise<ConnectionWithSecret> {
    return this.#lake.json(`/connections/${encodeURIComponent(id)}/secret`, {
      method: 'POST',
    });
  }

  async enterConnectionSecret(
    id: string,
    secret: string,
  ): Promise<ConnectionResponse> {
    return this.#lake.json(`/connections/${encodeURIComponent(id)}/secret`, {
      method: 'PUT',
      body: { secret },
    });
  }

  async removeConnection(id: string): Promise<void> {
    await this.#lake.send(`/connections/${encodeURIComponent(id)}`, {
      method: 'DELETE',
    });
  }

  async exportDeployments(query: DeploymentsQuery): Promise<Blob> {
    const response = await this.#lake.send('/deployments.csv', {
      query: { ...query },
    });
    return response.blob();
  }

  async exportIncidents(query: IncidentsQuery): Promise<Blob> {
    const response = await this.#lake.send('/incidents.csv', {
      query: { ...query },
    });
    return response.blob();
  }
}
