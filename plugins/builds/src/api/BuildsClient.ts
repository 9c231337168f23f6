import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import type { BuildRef, BuildsApi, CallOptions } from './BuildsApi';
import { failureOf } from './failureOf';
import type {
  BuildDetails,
  Isolation,
  JobDetails,
  JobSummary,
  LogPart,
  QueueItem,
} from './types';

/** {@link BuildsApi} over HTTP: through the portal's proxy, with its session. */
export class BuildsClient implements BuildsApi {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
  }

  async getJobs(options?: CallOptions): Promise<JobSummary[]> {
    const { jobs } = await this.#json<{ jobs: JobSummary[] }>(
      '/api/json',
      options,
    );
    return jobs;
  }

  getJob(name: string, options?: CallOptions): Promise<JobDetails> {
    return this.#json(`${jobPath(name)}/api/json`, options);
  }

  getIsolation(options?: CallOptions): Promise<Isolation> {
    return this.#json('/isolation', options);
  }

  async getQueue(options?: CallOptions): Promise<QueueItem[]> {
    const { items } = await this.#json<{ items: QueueItem[] }>(
      '/queue/api/json',
      options,
    );
    return items;
  }

  getBuild(build: BuildRef, options?: CallOptions): Promise<BuildDetails> {
    return this.#json(`${buildPath(build)}/api/json`, options);
  }

  getLog(
    build: BuildRef,
    start: number,
    options?: CallOptions,
  ): Promise<LogPart> {
    return this.#json(`${buildPath(build)}/log?start=${start}`, options);
  }

  runJob(name: string, parameters: Record<string, string>): Promise<QueueItem> {
    return this.#queue(`${jobPath(name)}/buildWithParameters`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        parameter: Object.entries(parameters).map(([key, value]) => ({
          name: key,
          value,
        })),
      }),
    });
  }

  rebuild(build: BuildRef): Promise<QueueItem> {
    return this.#queue(`${buildPath(build)}/rebuild`);
  }

  async stopBuild(build: BuildRef): Promise<void> {
    await this.#send(`${buildPath(build)}/stop`, { method: 'POST' });
  }

  async cancelItem(id: number): Promise<void> {
    await this.#send(`/queue/cancelItem?id=${id}`, { method: 'POST' });
  }

  async downloadLog(build: BuildRef): Promise<Blob> {
    return (await this.#send(`${buildPath(build)}/consoleText`)).blob();
  }

  async #queue(path: string, init?: RequestInit): Promise<QueueItem> {
    const { location } = await this.#json<{ location: string }>(path, {
      ...init,
      method: 'POST',
    });
    // Of the address of the service only the path means something here.
    const [, id] = /\/queue\/item\/(\d+)\/$/.exec(location) ?? [];
    return this.#json(`/queue/item/${id}/api/json`);
  }

  async #json<T>(path: string, init?: RequestInit): Promise<T> {
    return (await this.#send(path, init)).json();
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const proxy = await this.#discoveryApi.getBaseUrl('proxy');
    const response = await this.#fetchApi.fetch(
      `${proxy}/build-server${path}`,
      // Stopping leads to the address of the service itself, which browsers may not reach.
      { ...init, redirect: 'manual' },
    );
    if (!response.ok && response.type !== 'opaqueredirect') {
      throw await failureOf(response);
    }
    return response;
  }
}

function jobPath(name: string): string {
  return `/job/${encodeURIComponent(name)}`;
}

function buildPath({ job, number }: BuildRef): string {
  return `${jobPath(job)}/${number}`;
}
