import type {
  BreakdownResponse,
  ConnectionResponse,
  ConnectionsResponse,
  ConnectionWithSecret,
  CreatedConnectionResponse,
  DeploymentResponse,
  DeploymentsResponse,
  DeploymentStatus,
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
import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';

/** A scope and a period, as request parameters. */
export interface LakeQuery {
  /** Names or entity refs; the whole lake if omitted. */
  team?: string;
  project?: string;
  service?: string;
  /** `YYYY-MM-DD`, both inclusive; the last 30 days if omitted. */
  startDate?: string;
  endDate?: string;
}

/** Parameters for a page of deployments. */
export interface DeploymentsQuery extends LakeQuery {
  environment?: string;
  status?: DeploymentStatus;
  /** Part of a deployment's version, commit or author. */
  q?: string;
  /** Only deployments that failed (true) or did not fail (false). */
  failed?: boolean;
  /** `nextCursor` of the previous page. */
  cursor?: string;
  limit?: number;
}

/** Parameters for a page of incidents. */
export interface IncidentsQuery extends LakeQuery {
  environment?: string;
  /** Part of the title. */
  q?: string;
  /** Only open (true) or resolved (false) incidents. */
  open?: boolean;
  cursor?: string;
  limit?: number;
}

/** Reads the delivery lake. Every method rejects with a `ResponseError` if the response is not 2xx. */
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
  /** Reads the last successful deployment of each component of a scope to each environment. */
  getRunning(
    scope: Pick<LakeQuery, 'team' | 'project' | 'service'>,
    options?: CallOptions,
  ): Promise<RunningResponse>;
  listDeployments(
    query: DeploymentsQuery,
    options?: CallOptions,
  ): Promise<DeploymentsResponse>;
  getDeployment(id: string, options?: CallOptions): Promise<DeploymentResponse>;
  listIncidents(
    query: IncidentsQuery,
    options?: CallOptions,
  ): Promise<IncidentsResponse>;
  getIncident(id: string, options?: CallOptions): Promise<IncidentDetails>;
  /** Resolves an incident at the current time; has no effect on a resolved one. */
  resolveIncident(id: string): Promise<IncidentDetails>;
  reopenIncident(id: string): Promise<IncidentDetails>;
  getUnmatched(options?: CallOptions): Promise<UnmatchedResponse>;
  /** Lists the connected repositories and trackers; 403 for users who are not admins. */
  getConnections(options?: CallOptions): Promise<ConnectionsResponse>;
  connect(repository: {
    forge: Sender;
    repository: string;
  }): Promise<CreatedConnectionResponse>;
  replaceConnectionSecret(id: string): Promise<ConnectionWithSecret>;
  /** Stores the secret that the sender created. */
  enterConnectionSecret(
    id: string,
    secret: string,
  ): Promise<ConnectionResponse>;
  removeConnection(id: string): Promise<void>;
  /** Returns all matching deployments or incidents as a CSV file. */
  exportDeployments(query: DeploymentsQuery): Promise<Blob>;
  exportIncidents(query: IncidentsQuery): Promise<Blob>;
}

/** {@link DeliveryLakeApi} */
export const deliveryLakeApiRef = createApiRef<DeliveryLakeApi>().with({
  id: 'plugin.delivery-lake.client',
  pluginId: 'delivery-lake',
});
