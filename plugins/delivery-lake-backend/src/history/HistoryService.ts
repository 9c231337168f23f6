import { NotFoundError } from '@backstage/errors';
import {
  DeploymentDetails,
  DeploymentHistoryResponse,
  DeploymentResponse,
  DeploymentsResponse,
  IncidentDetails,
  IncidentsResponse,
  RunningResponse,
} from '@slipway/plugin-delivery-lake-common';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { DeliveryLakeConfig } from '../config';
import { parsePeriod, Period } from '../days/period';
import { Deriver } from '../derivation/Deriver';
import { drainScope, ScopeResolver, ServiceIds } from '../scope/ScopeResolver';
import { DatabaseDeploymentHistory } from '../storage/DatabaseDeploymentHistory';
import { DatabaseIncidentHistory } from '../storage/DatabaseIncidentHistory';
import { DatabaseServiceStore } from '../storage/services';
import { LakeDeployment, LakeIncident } from './records';
import { PagedList, readAll, readPage } from './pages';
import {
  presentChange,
  presentDeployment,
  presentDetails,
  presentIncident,
} from './present';
import {
  DeploymentExport,
  DeploymentsQuery,
  HistoryQuery,
  IncidentExport,
  IncidentsQuery,
  RunningQuery,
} from './schemas';

const MAX_CHANGES = 100;
/** Maximum number of services that {@link HistoryService.running} covers. */
const MAX_RUNNING = 300;
const DEPLOYMENT_ID = /^deploy-[\w-]{1,57}$/;
const INCIDENT_ID = /^incident-[\w-]{1,55}$/;

/** Options of the service. */
export interface HistoryServiceOptions {
  deployments: DatabaseDeploymentHistory;
  incidents: DatabaseIncidentHistory;
  services: DatabaseServiceStore;
  deriver: Deriver;
  directory: ServiceDirectory;
  config: DeliveryLakeConfig;
  /** Default: `Date.now`. */
  now?: () => number;
}

/** Answers queries about deployments and incidents. */
export class HistoryService {
  readonly #deployments: DatabaseDeploymentHistory;
  readonly #incidents: DatabaseIncidentHistory;
  readonly #deriver: Deriver;
  readonly #timeZone: string;
  readonly #now: () => number;
  readonly #scopes: ScopeResolver;

  constructor(options: HistoryServiceOptions) {
    this.#deployments = options.deployments;
    this.#incidents = options.incidents;
    this.#deriver = options.deriver;
    this.#timeZone = options.config.timeZone;
    this.#now = options.now ?? Date.now;
    this.#scopes = new ScopeResolver({
      store: options.services,
      directory: options.directory,
    });
  }

  /** `GET /deployment-history`; empty for an unknown service. */
  async history(query: HistoryQuery): Promise<DeploymentHistoryResponse> {
    const { service, environment, limit } = query;
    const services = await this.#scopes.resolve({ service });
    const { deployments, total } = await this.#deployments.latest({
      services: services === 'all' ? [] : services,
      environment,
      limit,
    });
    return { service, deployments: deployments.map(presentDeployment), total };
  }

  /** `GET /deployments`. @throws InputError for an invalid date or cursor. */
  async deployments(query: DeploymentsQuery): Promise<DeploymentsResponse> {
    const list = await this.#deploymentList(query);
    const { items, ...page } = await readPage(list, query);
    return { deployments: items.map(presentDetails), ...page };
  }

  /** Returns all pages of {@link deployments}. @throws InputError for invalid dates. */
  async exportDeployments(
    query: DeploymentExport,
  ): Promise<AsyncGenerator<DeploymentDetails>> {
    return present(readAll(await this.#deploymentList(query)), presentDetails);
  }

  /**
   * `GET /running`: the last successful deployment of each component to each environment. A service
   * without a component counts as one.
   */
  async running(query: RunningQuery): Promise<RunningResponse> {
    const resolved = await this.#scopes.resolve(query);
    const services = resolved === 'all' ? [] : resolved;
    const shown = services.slice(0, MAX_RUNNING);
    await drainScope(this.#deriver, shown);
    const newest = new Map<string, LakeDeployment>();
    for (const deployment of await this.#deployments.running(shown)) {
      const { service, environment } = deployment;
      const key = `${service.entityRef ?? service.id} ${environment}`;
      // Several services may belong to one component; the newest deployment comes first.
      newest.set(key, newest.get(key) ?? deployment);
    }
    return {
      deployments: [...newest.values()].map(presentDetails),
      truncated: services.length > shown.length,
    };
  }

  /**
   * `GET /deployments/{id}`.
   *
   * @param seesAuthors - returns whether the reader may see the authors of changes, given the
   * entity ref of the team that owns the service.
   * @throws NotFoundError
   */
  async deployment(
    id: string,
    seesAuthors: (team: string | null) => Promise<boolean>,
  ): Promise<DeploymentResponse> {
    const before = await this.#find(id);
    await this.#deriver.drain([before.service.id]);
    const deployment = await this.#find(id);
    const { changes, total } = await this.#deployments.changesOf(
      deployment.rowId,
      MAX_CHANGES,
    );
    const withAuthor = await seesAuthors(deployment.service.team);
    return {
      deployment: presentDetails(deployment),
      changes: changes.map(change => presentChange(change, { withAuthor })),
      totalChanges: total,
    };
  }

  /** `GET /incidents`. @throws InputError for an invalid date or cursor. */
  async incidents(query: IncidentsQuery): Promise<IncidentsResponse> {
    const list = await this.#incidentList(query);
    const { items, ...page } = await readPage(list, query);
    return { incidents: items.map(presentIncident), ...page };
  }

  /** Returns all pages of {@link incidents}. @throws InputError for invalid dates. */
  async exportIncidents(
    query: IncidentExport,
  ): Promise<AsyncGenerator<IncidentDetails>> {
    return present(readAll(await this.#incidentList(query)), presentIncident);
  }

  /** `GET /incidents/{id}`. @throws NotFoundError */
  async incident(id: string): Promise<IncidentDetails> {
    const { service } = await this.findIncident(id);
    await drainScope(this.#deriver, service ? [service.id] : []);
    return presentIncident(await this.findIncident(id));
  }

  /** Returns an incident with the key that its sender uses. @throws NotFoundError */
  async findIncident(id: string): Promise<LakeIncident> {
    const found = INCIDENT_ID.test(id)
      ? await this.#incidents.get(id)
      : undefined;
    if (!found) {
      throw new NotFoundError(`Incident '${id}' not found`);
    }
    return found;
  }

  async #find(id: string): Promise<LakeDeployment> {
    const found = DEPLOYMENT_ID.test(id)
      ? await this.#deployments.get(id)
      : undefined;
    if (!found) {
      throw new NotFoundError(`Deployment '${id}' not found`);
    }
    return found;
  }

  async #deploymentList(
    query: DeploymentExport,
  ): Promise<PagedList<LakeDeployment>> {
    const { environment, status, failed, q } = query;
    const filter = {
      ...(await this.#ask(query)),
      ...{ environment, status, failed, text: q },
    };
    return {
      read: page => this.#deployments.list(filter, page),
      count: () => this.#deployments.count(filter),
      positionOf: ({ rowId, startedAt, finishedAt }) => ({
        rowId,
        moment: finishedAt ?? startedAt,
      }),
    };
  }

  async #incidentList(query: IncidentExport): Promise<PagedList<LakeIncident>> {
    const { environment, open, q } = query;
    const filter = {
      ...(await this.#ask(query)),
      ...{ environment, open, text: q },
    };
    return {
      read: page => this.#incidents.list(filter, page),
      count: () => this.#incidents.count(filter),
      positionOf: ({ rowId, startedAt }) => ({ rowId, moment: startedAt }),
    };
  }

  async #ask(
    query: DeploymentExport | IncidentExport,
  ): Promise<{ services: ServiceIds; period: Period }> {
    const timeZone = this.#timeZone;
    const period = parsePeriod(query, { timeZone, now: this.#now() });
    const services = await this.#scopes.resolve(query);
    await drainScope(this.#deriver, services);
    return { services, period };
  }
}

async function* present<T, R>(
  items: AsyncIterable<T>,
  map: (item: T) => R,
): AsyncGenerator<R> {
  for await (const item of items) {
    yield map(item);
  }
}
