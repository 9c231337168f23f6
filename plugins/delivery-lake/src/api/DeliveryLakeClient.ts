import { ResponseError } from '@backstage/errors';
import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import type {
  BreakdownResponse,
  DeploymentResponse,
  DeploymentsResponse,
  DoraMetricsResponse,
  DoraSeriesResponse,
  ImprovementsResponse,
  IncidentsResponse,
  LakeStatusResponse,
  ScopesResponse,
  SeriesInterval,
  UnmatchedResponse,
} from '@slipway/plugin-delivery-lake-common';
import type {
  CallOptions,
  DeliveryLakeApi,
  DeploymentsQuery,
  IncidentsQuery,
  LakeQuery,
} from './DeliveryLakeApi';

type Query = Record<string, string | number | boolean | undefined>;

/** {@link DeliveryLakeApi} over HTTP, with the portal's session. */
export class DeliveryLakeClient implements DeliveryLakeApi {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
  }

  async getStatus(options?: CallOptions): Promise<LakeStatusResponse> {
    return this.#json('/status', {}, options);
  }

  async getScopes(options?: CallOptions): Promise<ScopesResponse> {
    return this.#json('/scopes', {}, options);
  }

  async getMetrics(
    query: LakeQuery,
    options?: CallOptions,
  ): Promise<DoraMetricsResponse> {
    return this.#json('/dora-metrics', { ...query }, options);
  }

  async getSeries(
    query: LakeQuery & { interval: SeriesInterval },
    options?: CallOptions,
  ): Promise<DoraSeriesResponse> {
    return this.#json('/dora-series', { ...query }, options);
  }

  async getBreakdown(
    query: LakeQuery & { by: BreakdownResponse['by'] },
    options?: CallOptions,
  ): Promise<BreakdownResponse> {
    return this.#json('/breakdown', { ...query }, options);
  }

  async getImprovements(
    query: LakeQuery,
    options?: CallOptions,
  ): Promise<ImprovementsResponse> {
    return this.#json('/improvements', { ...query }, options);
  }

  async listDeployments(
    query: DeploymentsQuery,
    options?: CallOptions,
  ): Promise<DeploymentsResponse> {
    return this.#json('/deployments', { ...query }, options);
  }

  async getDeployment(
    id: string,
    options?: CallOptions,
  ): Promise<DeploymentResponse> {
    return this.#json(`/deployments/${encodeURIComponent(id)}`, {}, options);
  }

  async listIncidents(
    query: IncidentsQuery,
    options?: CallOptions,
  ): Promise<IncidentsResponse> {
    return this.#json('/incidents', { ...query }, options);
  }

  async getUnmatched(options?: CallOptions): Promise<UnmatchedResponse> {
    return this.#json('/unmatched', {}, options);
  }

  async exportDeployments(query: DeploymentsQuery): Promise<Blob> {
    const response = await this.#get('/deployments.csv', { ...query });
    return response.blob();
  }

  async exportIncidents(query: IncidentsQuery): Promise<Blob> {
    const response = await this.#get('/incidents.csv', { ...query });
    return response.blob();
  }

  async #json<T>(
    path: string,
    query: Query,
    options?: CallOptions,
  ): Promise<T> {
    const response = await this.#get(path, query, options);
    return response.json();
  }

  async #get(
    path: string,
    query: Query,
    options: CallOptions = {},
  ): Promise<Response> {
    const base = await this.#discoveryApi.getBaseUrl('delivery-lake');
    const url = new URL(`${base}${path}`);
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) {
        url.searchParams.set(key, String(value));
      }
    }
    const response = await this.#fetchApi.fetch(url.toString(), {
      signal: options.signal,
    });
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return response;
  }
}
