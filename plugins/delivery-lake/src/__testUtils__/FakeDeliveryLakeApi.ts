import { ResponseError } from '@backstage/errors';
import {
  createsSecret,
  type BreakdownResponse,
  type DeliveredChange,
  type DeploymentDetails,
  type DeploymentResponse,
  type DeploymentsResponse,
  type DoraMetricsResponse,
  type DoraSeriesResponse,
  type Improvement,
  type ImprovementsResponse,
  type IncidentDetails,
  type IncidentsResponse,
  type LakeStatusResponse,
  type RunningResponse,
  type ScopeComparison,
  type ScopesResponse,
  type SeriesInterval,
  type UnmatchedResponse,
  type ConnectionResponse,
  type ConnectionsResponse,
  type ConnectionWithSecret,
  type CreatedConnectionResponse,
  type Sender,
} from '@slipway/plugin-delivery-lake-common';
import type {
  DeliveryLakeApi,
  DeploymentsQuery,
  IncidentsQuery,
  LakeQuery,
} from '../api/DeliveryLakeApi';
import { someMetrics, someSeries } from './metrics';

const PERIOD = { startDate: '2026-10-23', endDate: '2026-11-21' };

/** An in-memory backend: tests change its data, pages read it. */
export class FakeDeliveryLakeApi implements DeliveryLakeApi {
  status: LakeStatusResponse = {
    deployments: 3,
    changes: 5,
    incidents: 1,
    unmatchedServices: 0,
    sources: [],
    timeZone: 'UTC',
    ingestUrl: 'http://localhost:7007/api/delivery-lake',
  };
  scopes: ScopesResponse = {
    teams: [
      {
        name: 'payments',
        title: 'Payments',
        entityRef: 'group:default/payments',
      },
    ],
    projects: [
      { name: 'shop', title: 'Shop', entityRef: 'system:default/shop' },
    ],
    services: [
      {
        name: 'checkout',
        entityRef: 'component:default/checkout',
        team: 'payments',
        project: 'shop',
      },
    ],
  };
  metrics: DoraMetricsResponse = someMetrics();
  series: DoraSeriesResponse = someSeries();
  parts: ScopeComparison[] = [];
  improvements: Improvement[] = [];
  deployments: DeploymentDetails[] = [];
  changes: DeliveredChange[] = [];
  incidents: IncidentDetails[] = [];
  connections: ConnectionResponse[] = [];
  /** Secrets that were entered, in order. */
  readonly enteredSecrets: string[] = [];
  unmatched: UnmatchedResponse = {
    services: [],
    incidents: [],
    totalIncidents: 0,
    deploymentsWithoutChange: 0,
    deliveries: [],
  };
  /** Records per page. */
  pageSize = 2;
  /** Every call with its query, in order. */
  readonly asked: { method: keyof DeliveryLakeApi; query: LakeQuery }[] = [];
  readonly #refusals = new Map<keyof DeliveryLakeApi, ResponseError>();

  /** Makes the next call of a method fail with an error response of the backend. */
  async refuseNext(
    method: keyof DeliveryLakeApi,
    refusal: { status: number; message: string },
  ): Promise<void> {
    const { status, message } = refusal;
    const body = {
      error: { name: 'Error', message },
      response: { statusCode: status },
    };
    this.#refusals.set(
      method,
      await ResponseError.fromResponse(Response.json(body, { status })),
    );
  }

  async getStatus(): Promise<LakeStatusResponse> {
    return this.#answer('getStatus', {}, this.status);
  }

  async getScopes(): Promise<ScopesResponse> {
    return this.#answer('getScopes', {}, this.scopes);
  }

  async getMetrics(query: LakeQuery): Promise<DoraMetricsResponse> {
    return this.#answer('getMetrics', query, this.metrics);
  }

  async getSeries(
    query: LakeQuery & { interval: SeriesInterval },
  ): Promise<DoraSeriesResponse> {
    const { interval } = query;
    return this.#answer('getSeries', query, { ...this.series, interval });
  }

  async getBreakdown(
    query: LakeQuery & { by: BreakdownResponse['by'] },
  ): Promise<BreakdownResponse> {
    return this.#answer('getBreakdown', query, {
      period: PERIOD,
      by: query.by,
      items: this.parts,
      truncated: false,
    });
  }

  async getImprovements(query: LakeQuery): Promise<ImprovementsResponse> {
    const items = this.improvements;
    return this.#answer('getImprovements', query, { period: PERIOD, items });
  }

  async getRunning(scope: LakeQuery): Promise<RunningResponse> {
    const deployments = this.deployments.filter(
      ({ status }) => status === 'SUCCESS',
    );
    return this.#answer('getRunning', scope, { deployments, truncated: false });
  }

  async listDeployments(query: DeploymentsQuery): Promise<DeploymentsResponse> {
    const matching = this.deployments.filter(
      ({ failed, status, environment, startTime, endTime }) =>
        isWithin(endTime ?? startTime, query) &&
        (query.failed === undefined || failed === query.failed) &&
        (query.status === undefined || status === query.status) &&
        (!query.environment || environment === query.environment),
    );
    const { items, total, nextCursor } = this.#page(matching, query.cursor);
    return this.#answer('listDeployments', query, {
      deployments: items,
      total,
      nextCursor,
    });
  }

  async getDeployment(id: string): Promise<DeploymentResponse> {
    const deployment = this.deployments.find(known => known.id === id);
    if (!deployment) {
      await this.refuseNext('getDeployment', {
        status: 404,
        message: `No deployment ${id}`,
      });
    }
    return this.#answer(
      'getDeployment',
      {},
      {
        deployment: deployment as DeploymentDetails,
        changes: this.changes,
        totalChanges: this.changes.length,
      },
    );
  }

  async listIncidents(query: IncidentsQuery): Promise<IncidentsResponse> {
    const matching = this.incidents.filter(
      ({ resolvedAt }) =>
        query.open === undefined || (resolvedAt === null) === query.open,
    );
    const { items, total, nextCursor } = this.#page(matching, query.cursor);
    return this.#answer('listIncidents', query, {
      incidents: items,
      total,
      nextCursor,
    });
  }

  async getIncident(id: string): Promise<IncidentDetails> {
    const found = this.incidents.find(incident => incident.id === id);
    if (!found) {
      await this.refuseNext('getIncident', {
        status: 404,
        message: `Incident '${id}' not found`,
      });
    }
    return this.#answer('getIncident', {}, found as IncidentDetails);
  }

  async resolveIncident(id: string): Promise<IncidentDetails> {
    return this.#end(id, '2026-11-21T12:00:00.000Z');
  }

  async reopenIncident(id: string): Promise<IncidentDetails> {
    return this.#end(id, null);
  }

  async #end(id: string, resolvedAt: string | null): Promise<IncidentDetails> {
    this.incidents = this.incidents.map(incident =>
      incident.id === id ? { ...incident, resolvedAt } : incident,
    );
    return this.getIncident(id);
  }

  async getUnmatched(): Promise<UnmatchedResponse> {
    return this.#answer('getUnmatched', {}, this.unmatched);
  }

  async getConnections(): Promise<ConnectionsResponse> {
    return this.#answer(
      'getConnections',
      {},
      {
        connections: [...this.connections],
      },
    );
  }

  async connect({
    forge,
    repository,
  }: {
    forge: Sender;
    repository: string;
  }): Promise<CreatedConnectionResponse> {
    const connection: ConnectionResponse = {
      id: `connection-${this.connections.length + 1}`,
      forge,
      repository,
      createdBy: 'user:default/ada',
      createdAt: '2026-11-20T12:00:00.000Z',
      webhookUrl: `http://localhost:7007/api/delivery-lake/webhooks/connections/connection-${this.connections.length + 1}`,
      lastDelivery: null,
      lastRefusedAt: null,
      ...(createsSecret(forge) && { needsSecret: true }),
    };
    this.connections.push(connection);
    return this.#answer(
      'connect',
      {},
      createsSecret(forge)
        ? { ...connection, forge }
        : { ...connection, forge, secret: 's3cret' },
    );
  }

  async replaceConnectionSecret(id: string): Promise<ConnectionWithSecret> {
    const found = this.connections.find(
      one => one.id === id,
    ) as ConnectionWithSecret;
    return this.#answer(
      'replaceConnectionSecret',
      {},
      {
        ...found,
        secret: 'another',
      },
    );
  }

  async enterConnectionSecret(
    id: string,
    secret: string,
  ): Promise<ConnectionResponse> {
    this.enteredSecrets.push(secret);
    this.connections = this.connections.map(({ needsSecret, ...one }) =>
      one.id === id ? { ...one, lastRefusedAt: null } : { ...one, needsSecret },
    );
    return this.#answer(
      'enterConnectionSecret',
      {},
      this.connections.find(one => one.id === id)!,
    );
  }

  async removeConnection(id: string): Promise<void> {
    this.connections = this.connections.filter(one => one.id !== id);
  }

  async exportDeployments(query: DeploymentsQuery): Promise<Blob> {
    return this.#answer('exportDeployments', query, new Blob(['id\n']));
  }

  async exportIncidents(query: IncidentsQuery): Promise<Blob> {
    return this.#answer('exportIncidents', query, new Blob(['id\n']));
  }

  #answer<T>(method: keyof DeliveryLakeApi, query: LakeQuery, answer: T): T {
    this.asked.push({ method, query });
    const refusal = this.#refusals.get(method);
    if (refusal) {
      this.#refusals.delete(method);
      throw refusal;
    }
    return answer;
  }

  #page<T>(matching: T[], cursor: string | undefined) {
    const start = Number(cursor ?? 0);
    const end = start + this.pageSize;
    return {
      items: matching.slice(start, end),
      total: matching.length,
      nextCursor: end < matching.length ? String(end) : null,
    };
  }
}

/** Checks a time against a period given in timestamps; a period in days has no effect. */
function isWithin(at: string, { startDate, endDate }: LakeQuery): boolean {
  const isTime = (text: string | undefined) => text?.includes('T') ?? false;
  return (
    (!isTime(startDate) || at >= startDate!) &&
    (!isTime(endDate) || at < endDate!)
  );
}
