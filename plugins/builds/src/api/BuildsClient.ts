import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
import type {
  AgentChange,
  AgentList,
  Approval,
  BuildDetails,
  BuildRef,
  BuildsApi,
  Decision,
  JobDetails,
  JobSummary,
  LogLine,
  LogMatches,
  LogOutline,
  LogWindow,
  QueueItem,
  RebuildOptions,
  SecretChange,
  SecretList,
  ServerIsolation,
  TestList,
  TestQuery,
  TestRunHistory,
  UsageReport,
} from './BuildsApi';

/** {@link BuildsApi} over HTTP, through the portal's proxy with the user's session. */
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

  getIsolation(options?: CallOptions): Promise<ServerIsolation> {
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

  getLogOutline(build: BuildRef, options?: CallOptions): Promise<LogOutline> {
    return this.#service.json(`${buildPath(build)}/log/outline`, options);
  }

  async getLogLines(
    build: BuildRef,
    window: LogWindow,
    options?: CallOptions,
  ): Promise<LogLine[]> {
    const { lines } = await this.#service.json<{ lines: LogLine[] }>(
      `${buildPath(build)}/log/lines`,
      { ...options, query: { ...window } },
    );
    return lines;
  }

  searchLog(
    build: BuildRef,
    text: string,
    options?: CallOptions,
  ): Promise<LogMatches> {
    return this.#service.json(`${buildPath(build)}/log/search`, {
      ...options,
      query: { text },
    });
  }

  getTests(
    build: BuildRef,
    query: TestQuery,
    options?: CallOptions,
  ): Promise<TestList> {
    return this.#service.json(`${buildPath(build)}/tests`, {
      ...options,
      query: { ...query },
    });
  }

  getTest(
    job: string,
    id: string,
    options?: CallOptions,
  ): Promise<TestRunHistory> {
    return this.#service.json(`${jobPath(job)}/tests/${id}`, options);
  }

  async getApprovals(
    build: BuildRef,
    options?: CallOptions,
  ): Promise<Approval[]> {
    const { approvals } = await this.#service.json<{ approvals: Approval[] }>(
      `${buildPath(build)}/approvals`,
      options,
    );
    return approvals;
  }

  async decide(build: BuildRef, decision: Decision): Promise<void> {
    await this.#service.send(`${buildPath(build)}/approvals`, {
      method: 'POST',
      body: decision,
    });
  }

  getJobFile(
    name: string,
    options?: CallOptions,
  ): Promise<{ file: string; text: string }> {
    return this.#service.json(`${jobPath(name)}/file`, options);
  }

  async setJobEnabled(name: string, isEnabled: boolean): Promise<void> {
    await this.#service.send(
      `${jobPath(name)}/${isEnabled ? 'enable' : 'disable'}`,
      // The redirect leads to the service's own address, which browsers may not reach.
      { method: 'POST', redirect: 'manual' },
    );
  }

  runJob(name: string, parameters: Record<string, string>): Promise<QueueItem> {
    return this.#queue(`${jobPath(name)}/buildWithParameters`, {
      parameter: listParameters(parameters),
    });
  }

  rebuild(build: BuildRef, how: RebuildOptions = {}): Promise<QueueItem> {
    const { only, parameters } = how;
    return this.#queue(
      `${buildPath(build)}/rebuild${only ? `?only=${only}` : ''}`,
      parameters && { parameter: listParameters(parameters) },
    );
  }

  async stopBuild(build: BuildRef): Promise<void> {
    await this.#service.send(`${buildPath(build)}/stop`, {
      method: 'POST',
      // The redirect's target is the service's own address, which browsers may not be
      // able to reach.
      redirect: 'manual',
    });
  }

  async describeBuild(
    build: BuildRef,
    about: { displayName: string; description: string },
  ): Promise<void> {
    await this.#service.send(`${buildPath(build)}/about`, {
      method: 'PUT',
      body: about,
    });
  }

  async keepBuild(build: BuildRef, reason: string): Promise<void> {
    await this.#service.send(`${buildPath(build)}/kept`, {
      method: 'PUT',
      body: { reason },
    });
  }

  async stopKeeping(build: BuildRef): Promise<void> {
    await this.#service.send(`${buildPath(build)}/kept`, { method: 'DELETE' });
  }

  async cancelItem(id: number): Promise<void> {
    await this.#service.send('/queue/cancelItem', {
      method: 'POST',
      query: { id },
      redirect: 'manual',
    });
  }

  getAgents(options?: CallOptions): Promise<AgentList> {
    return this.#service.json('/agents', options);
  }

  async inviteAgent(labels: readonly string[]): Promise<string> {
    const { token } = await this.#service.json<{ token: string }>(
      '/agents/enrolments',
      { method: 'POST', body: { labels } },
    );
    return token;
  }

  async changeAgent(id: string, change: AgentChange): Promise<void> {
    const path = `/agents/${encodeURIComponent(id)}`;
    await (change === 'remove'
      ? this.#service.send(path, { method: 'DELETE' })
      : this.#service.send(`${path}/${change}`, { method: 'POST' }));
  }

  getSecrets(options?: CallOptions): Promise<SecretList> {
    return this.#service.json('/secrets', options);
  }

  async putSecret({ name, ...body }: SecretChange): Promise<void> {
    await this.#service.send(`/secrets/${encodeURIComponent(name)}`, {
      method: 'PUT',
      body,
    });
  }

  async removeSecret(name: string): Promise<void> {
    await this.#service.send(`/secrets/${encodeURIComponent(name)}`, {
      method: 'DELETE',
    });
  }

  getUsage(
    days: { from: string; to: string },
    options?: CallOptions,
  ): Promise<UsageReport> {
    return this.#service.json('/usage', { ...options, query: days });
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
    // Only the path matters: the host is the service's own address.
    const [, id] = /\/queue\/item\/(\d+)\/$/.exec(location) ?? [];
    return this.#service.json(`/queue/item/${id}/api/json`);
  }
}

function listParameters(parameters: Record<string, string>) {
  return Object.entries(parameters).map(([name, value]) => ({ name, value }));
}

function jobPath(name: string): string {
  return `/job/${encodeURIComponent(name)}`;
}

function buildPath({ job, number }: BuildRef): string {
  return `${jobPath(job)}/${number}`;
}
