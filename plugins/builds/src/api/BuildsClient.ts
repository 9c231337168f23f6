import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { ServiceClient } from '@slipway/app-react';
import type {
  BuildDetails,
  BuildRef,
  BuildsApi,
  CallOptions,
  Isolation,
  JobDetails,
  JobSummary,
  LogPart,
  QueueItem,
} from './BuildsApi';

/** {@link BuildsApi} over HTTP: through the portal's proxy, with its session. */
export class BuildsClient implements BuildsApi {
  readonly #service: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#service = new ServiceClient({ ...options, path: '/build-server' });
  }

  async getJobs(options?: CallOptions): Promise<JobSummary[]> {
    const { jobs } = await this.#service.json<{ jobs: JobSummary[] }>(
      '/api/json',
      options,
    );
    return jobs;
  }

  getJob(name: string, options?: CallOptions): Promise<JobDetails> {
    return this.#service.json(`${jobPath(name)}/api/json`, options);
  }

  getIsolation(options?: CallOptions): Promise<Isolation> {
    return this.#service.json('/isolation', options);
  }

  async getQueue(options?: CallOptions): Promise<QueueItem[]> {
    const { items } = await this.#service.json<{ items: QueueItem[] }>(
      '/queue/api/json',
      options,
    );
    return items;
  }

  getBuild(build: BuildRef, options?: CallOptions): Promise<BuildDetails> {
    return this.#service.json(`${buildPath(build)}/api/json`, options);
  }

  getLog(
    build: BuildRef,
    start: number,
    options?: CallOptions,
  ): Promise<LogPart> {
    return this.#service.json(`${buildPath(build)}/log`, {
      ...options,
      query: { start },
    });
  }

  runJob(name: string, parameters: Record<string, string>): Promise<QueueItem> {
    return this.#queue(`${jobPath(name)}/buildWithParameters`, {
      parameter: Object.entries(parameters).map(([key, value]) => ({
        name: key,
        value,
      })),
    });
  }

  rebuild(build: BuildRef): Promise<QueueItem> {
    return this.#queue(`${buildPath(build)}/rebuild`);
  }

  async stopBuild(build: BuildRef): Promise<void> {
    await this.#service.send(`${buildPath(build)}/stop`, {
      method: 'POST',
      // It leads to the address of the service itself, which browsers may not reach.
      redirect: 'manual',
    });
  }

  async cancelItem(id: number): Promise<void> {
    await this.#service.send('/queue/cancelItem', {
      method: 'POST',
      query: { id },
      redirect: 'manual',
    });
  }

  async downloadLog(build: BuildRef): Promise<Blob> {
    return (await this.#service.send(`${buildPath(build)}/consoleText`)).blob();
  }

  async downloadArtifact(build: BuildRef, path: string): Promise<Blob> {
    const name = path.split('/').map(encodeURIComponent).join('/');
    const answer = await this.#service.send(
      `${buildPath(build)}/artifact/${name}`,
    );
    return answer.blob();
  }

  async #queue(path: string, body?: object): Promise<QueueItem> {
    const { location } = await this.#service.json<{ location: string }>(path, {
      method: 'POST',
      body,
    });
    // Of the address of the service only the path means something here.
    const [, id] = /\/queue\/item\/(\d+)\/$/.exec(location) ?? [];
    return this.#service.json(`/queue/item/${id}/api/json`);
  }
}

function jobPath(name: string): string {
  return `/job/${encodeURIComponent(name)}`;
}

function buildPath({ job, number }: BuildRef): string {
  return `${jobPath(job)}/${number}`;
}
