import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
import type {
  Delivery,
  DestinationChanges,
  DestinationList,
  DestinationsApi,
  NewDestination,
  TestOutcome,
} from './DestinationsApi';

/** Implements {@link DestinationsApi} over HTTP, through the portal's proxy with its session. */
export class DestinationsClient implements DestinationsApi {
  readonly #projects: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    const path = '/analytics/api/projects';
    this.#projects = new ServiceClient({ ...options, path });
  }

  getDestinations(
    projectId: string,
    call?: CallOptions,
  ): Promise<DestinationList> {
    return this.#projects.json(pathOf(projectId), call);
  }

  async create(
    projectId: string,
    body: NewDestination,
  ): Promise<string | undefined> {
    const { secret } = await this.#projects.json<{ secret?: string }>(
      pathOf(projectId),
      { method: 'POST', body },
    );
    return secret;
  }

  async change(
    projectId: string,
    id: string,
    body: DestinationChanges,
  ): Promise<void> {
    await this.#patch(projectId, id, body);
  }

  async pause(projectId: string, id: string, paused: boolean): Promise<void> {
    await this.#patch(projectId, id, { paused });
  }

  async remove(projectId: string, id: string): Promise<void> {
    await this.#projects.json(pathOf(projectId, id), { method: 'DELETE' });
  }

  test(projectId: string, id: string): Promise<TestOutcome> {
    return this.#projects.json(`${pathOf(projectId, id)}/test`, {
      method: 'POST',
    });
  }

  async getDeliveries(
    projectId: string,
    id: string,
    call?: CallOptions,
  ): Promise<Delivery[]> {
    const { deliveries } = await this.#projects.json<{
      deliveries: Delivery[];
    }>(`${pathOf(projectId, id)}/deliveries`, call);
    return deliveries;
  }

  #patch(projectId: string, id: string, body: object): Promise<unknown> {
    return this.#projects.json(pathOf(projectId, id), {
      method: 'PATCH',
      body,
    });
  }
}

function pathOf(projectId: string, id?: string): string {
  const path = `/${encodeURIComponent(projectId)}/destinations`;
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`;
}
