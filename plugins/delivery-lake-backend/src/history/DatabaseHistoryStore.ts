import type { Knex } from 'knex';
import { DatabaseDeliveredChanges } from './DatabaseDeliveredChanges';
import { DatabaseDeployments } from './DatabaseDeployments';
import { DatabaseIncidents } from './DatabaseIncidents';
import {
  DeploymentFilter,
  HistoryStore,
  IncidentFilter,
  PageRequest,
  StoredChange,
  StoredDeployment,
  StoredIncident,
} from './HistoryStore';

/** Reads what was deployed and what broke from the lake's database. */
export class DatabaseHistoryStore implements HistoryStore {
  readonly #deployments: DatabaseDeployments;
  readonly #changes: DatabaseDeliveredChanges;
  readonly #incidents: DatabaseIncidents;

  constructor(db: Knex) {
    this.#deployments = new DatabaseDeployments(db);
    this.#changes = new DatabaseDeliveredChanges(db);
    this.#incidents = new DatabaseIncidents(db);
  }

  async history(request: {
    services: number[];
    environment?: string;
    limit: number;
  }): Promise<{ deployments: StoredDeployment[]; total: number }> {
    return this.#deployments.history(request);
  }

  async deployments(
    filter: DeploymentFilter,
    page: PageRequest,
  ): Promise<StoredDeployment[]> {
    return this.#deployments.list(filter, page);
  }

  async countDeployments(filter: DeploymentFilter): Promise<number> {
    return this.#deployments.count(filter);
  }

  async deployment(id: string): Promise<StoredDeployment | undefined> {
    return this.#deployments.get(id);
  }

  async changesOf(
    deploymentRowId: number,
    limit: number,
  ): Promise<{ changes: StoredChange[]; total: number }> {
    return this.#changes.read(deploymentRowId, limit);
  }

  async incidents(
    filter: IncidentFilter,
    page: PageRequest,
  ): Promise<StoredIncident[]> {
    return this.#incidents.list(filter, page);
  }

  async countIncidents(filter: IncidentFilter): Promise<number> {
    return this.#incidents.count(filter);
  }
}
