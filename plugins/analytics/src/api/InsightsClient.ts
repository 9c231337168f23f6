import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
import type { Dashboard, InsightQuery, SavedInsight } from './InsightQuery';
import type {
  Annotation,
  InsightsApi,
  NewAnnotation,
  NewDashboard,
  NewInsight,
  Versioned,
} from './InsightsApi';

type Collection = 'insights' | 'dashboards' | 'annotations';

/** Maximum number of annotations that the service returns. */
const MOST_ANNOTATIONS = 500;

/** Implements {@link InsightsApi} over HTTP, through the portal's proxy with its session. */
export class InsightsClient implements InsightsApi {
  readonly #projects: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    const path = '/analytics/api/projects';
    this.#projects = new ServiceClient({ ...options, path });
  }

  async ask(
    projectId: string,
    query: InsightQuery,
    options: CallOptions & { mayBeOld?: boolean } = {},
  ): Promise<unknown[]> {
    const { mayBeOld, ...call } = options;
    const { results } = await this.#projects.json<{ results: unknown[] }>(
      `/${encodeURIComponent(projectId)}/query`,
      {
        ...call,
        method: 'POST',
        body: { query, ...(mayBeOld && { refresh: 'lazy_async' }) },
      },
    );
    return results;
  }

  async getInsights(
    projectId: string,
    options?: CallOptions,
  ): Promise<SavedInsight[]> {
    const { insights } = await this.#projects.json<{
      insights: SavedInsight[];
    }>(pathOf(projectId, 'insights'), options);
    return insights;
  }

  createInsight(projectId: string, body: NewInsight): Promise<SavedInsight> {
    return this.#projects.json(pathOf(projectId, 'insights'), {
      method: 'POST',
      body,
    });
  }

  changeInsight(
    projectId: string,
    of: Versioned,
    body: NewInsight,
  ): Promise<SavedInsight> {
    return this.#projects.json(pathOf(projectId, 'insights', of), {
      method: 'PUT',
      body,
      ifMatch: tagOf(of),
    });
  }

  async deleteInsight(projectId: string, of: Versioned): Promise<void> {
    await this.#delete(projectId, 'insights', of);
  }

  async getDashboards(
    projectId: string,
    options?: CallOptions,
  ): Promise<Dashboard[]> {
    const { dashboards } = await this.#projects.json<{
      dashboards: Dashboard[];
    }>(pathOf(projectId, 'dashboards'), options);
    return dashboards;
  }

  createDashboard(projectId: string, body: NewDashboard): Promise<Dashboard> {
    return this.#projects.json(pathOf(projectId, 'dashboards'), {
      method: 'POST',
      body,
    });
  }

  changeDashboard(
    projectId: string,
    of: Versioned,
    body: NewDashboard,
  ): Promise<Dashboard> {
    return this.#projects.json(pathOf(projectId, 'dashboards', of), {
      method: 'PUT',
      body,
      ifMatch: tagOf(of),
    });
  }

  async deleteDashboard(projectId: string, of: Versioned): Promise<void> {
    await this.#delete(projectId, 'dashboards', of);
  }

  async getAnnotations(
    projectId: string,
    { after }: { after: string },
    options?: CallOptions,
  ): Promise<Annotation[]> {
    const { results } = await this.#projects.json<{ results: Annotation[] }>(
      pathOf(projectId, 'annotations'),
      { ...options, query: { after, limit: MOST_ANNOTATIONS } },
    );
    return results;
  }

  async createAnnotation(
    projectId: string,
    body: NewAnnotation,
  ): Promise<void> {
    await this.#projects.json(pathOf(projectId, 'annotations'), {
      method: 'POST',
      body,
    });
  }

  async deleteAnnotation(projectId: string, id: number): Promise<void> {
    await this.#projects.json(`${pathOf(projectId, 'annotations')}/${id}`, {
      method: 'DELETE',
    });
  }

  async #delete(
    projectId: string,
    collection: Collection,
    of: Versioned,
  ): Promise<void> {
    await this.#projects.json(pathOf(projectId, collection, of), {
      method: 'DELETE',
      ifMatch: tagOf(of),
    });
  }
}

function pathOf(
  projectId: string,
  collection: Collection,
  of?: Versioned,
): string {
  const path = `/${encodeURIComponent(projectId)}/${collection}`;
  return of ? `${path}/${encodeURIComponent(of.id)}` : path;
}

function tagOf({ version }: Versioned): string {
  return `"${version}"`;
}
