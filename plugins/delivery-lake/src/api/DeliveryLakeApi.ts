import type {
  BreakdownResponse,
  DeploymentResponse,
  DeploymentsResponse,
  DeploymentStatus,
  DoraMetricsResponse,
  DoraSeriesResponse,
  ImprovementsResponse,
  IncidentsResponse,
  LakeStatusResponse,
  ScopesResponse,
  SeriesInterval,
  UnmatchedResponse,
} from '@slipway/plugin-delivery-lake-common';
import { createApiRef } from '@backstage/frontend-plugin-api';

/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** A part of the lake and a period, as parameters of a request. */
export interface LakeQuery {
  /** Names or entity refs; everything without them. */
  team?: string;
  project?: string;
  service?: string;
  /** `YYYY-MM-DD`, both inclusive; the last 30 days without them. */
  startDate?: string;
  endDate?: string;
}

/** A page of deployments. */
export interface DeploymentsQuery extends LakeQuery {
  environment?: string;
  status?: DeploymentStatus;
  /** Part of what a deployment says of itself: version, commit, who. */
  q?: string;
  /** Only those that failed, or did not. */
  failed?: boolean;
  /** `nextCursor` of the page before. */
  cursor?: string;
  limit?: number;
}

/** A page of incidents. */
export interface IncidentsQuery extends LakeQuery {
  environment?: string;
  /** Part of the title. */
  q?: string;
  /** Only those that are open, or are not. */
  open?: boolean;
  cursor?: string;
  limit?: number;
}

/**
 * Reads the delivery lake. Every method rejects with a `ResponseError` when the
 * answer is not 2xx.
 */
export interface DeliveryLakeApi {
  getStatus(options?: CallOptions): Promise<LakeStatusResponse>;
  getScopes(options?: CallOptions): Promise<ScopesResponse>;
  getMetrics(
    query: LakeQuery,
    options?: CallOptions,
  ): Promise<DoraMetricsResponse>;
  getSeries(
    query: LakeQuery & { interval: SeriesInterval },
    options?: CallOptions,
  ): Promise<DoraSeriesResponse>;
  getBreakdown(
    query: LakeQuery & { by: BreakdownResponse['by'] },
    options?: CallOptions,
  ): Promise<BreakdownResponse>;
  getImprovements(
    query: LakeQuery,
    options?: CallOptions,
  ): Promise<ImprovementsResponse>;
  listDeployments(
    query: DeploymentsQuery,
    options?: CallOptions,
  ): Promise<DeploymentsResponse>;
  getDeployment(id: string, options?: CallOptions): Promise<DeploymentResponse>;
  listIncidents(
    query: IncidentsQuery,
    options?: CallOptions,
  ): Promise<IncidentsResponse>;
  getUnmatched(options?: CallOptions): Promise<UnmatchedResponse>;
  /** All deployments or incidents that match, as a file of comma-separated values. */
  exportDeployments(query: DeploymentsQuery): Promise<Blob>;
  exportIncidents(query: IncidentsQuery): Promise<Blob>;
}

/** {@link DeliveryLakeApi} */
export const deliveryLakeApiRef = createApiRef<DeliveryLakeApi>().with({
  id: 'plugin.delivery-lake.client',
  pluginId: 'delivery-lake',
});
