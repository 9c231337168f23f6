import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
import type {
  Cohort,
  CohortChanges,
  CohortsApi,
  ListChanges,
  NewCohort,
  VersionedCohort,
} from './CohortsApi';

/** Implements {@link CohortsApi} over HTTP, through the portal's proxy with its session. */
export class CohortsClient implements CohortsApi {
  readonly #projects: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    const path = '/analytics/api/projects';
    this.#projects = new ServiceClient({ ...options, path });
  }

  async getCohorts(projectId: string, call?: CallOptions): Promise<Cohort[]> {
    const { results } = await this.#projects.json<{ results: Cohort[] }>(
      pathOf(projectId),
      call,
    );
    return results;
  }

  createCohort(projectId: string, body: NewCohort): Promise<Cohort> {
    return this.#projects.json(pathOf(projectId), { method: 'POST', body });
  }

  changeCohort(
    projectId: string,
    { id, version }: VersionedCohort,
    body: CohortChanges,
  ): Promise<Cohort> {
    return this.#projects.json(pathOf(projectId, id), {
      method: 'PATCH',
      body,
      ifMatch: `"${version}"`,
    });
  }

  changeList(
    projectId: string,
    id: number,
    body: ListChanges,
  ): Promise<Cohort> {
    return this.#projects.json(pathOf(projectId, id), {
      method: 'PATCH',
      body,
    });
  }

  async deleteCohort(
    projectId: string,
    { id, version }: VersionedCohort,
  ): Promise<void> {
    await this.#projects.json(pathOf(projectId, id), {
      method: 'DELETE',
      ifMatch: `"${version}"`,
    });
  }

  duplicateCohort(projectId: string, id: number): Promise<Cohort> {
    return this.#projects.json(`${pathOf(projectId, id)}/duplicate`, {
      method: 'POST',
    });
  }
}

function pathOf(projectId: string, id?: number): string {
  const path = `/${encodeURIComponent(projectId)}/cohorts`;
  return id === undefined ? path : `${path}/${id}`;
}
