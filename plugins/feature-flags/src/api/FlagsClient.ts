import { ResponseError } from '@backstage/errors';
import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { ServiceClient } from '@slipway/app-react';
import type {
  ApiToken,
  CallOptions,
  ContextField,
  Flag,
  FlagChanges,
  FlagEnvironment,
  FlagMetrics,
  FlagsApi,
  FlagUser,
  HistoryEvent,
  Interval,
  NewApiToken,
  NewFlag,
  NewSegment,
  Segment,
  TokenType,
  UsagePoint,
} from './FlagsApi';

const RECENT_HOURS = 24;

/** {@link FlagsApi} over HTTP: through the portal's proxy, with its session. */
export class FlagsClient implements FlagsApi {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;
  readonly #admin: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
    const path = '/feature-flags/api/admin';
    this.#admin = new ServiceClient({ ...options, path });
  }

  async getPortalFlags(
    options?: CallOptions,
  ): Promise<Record<string, boolean>> {
    // The portal's own back end answers it, which goes on when the service is gone.
    const base = await this.#discoveryApi.getBaseUrl('feature-flags');
    const response = await this.#fetchApi.fetch(
      `${base}/portal-flags`,
      options,
    );
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    const { flags } = await response.json();
    return flags;
  }

  getUser(options?: CallOptions): Promise<FlagUser> {
    return this.#admin.json('/user', options);
  }

  async listFlags(
    query: { archived: boolean },
    options?: CallOptions,
  ): Promise<Flag[]> {
    const { features } = await this.#admin.json<{ features: Flag[] }>(
      '/features',
      {
        ...options,
        query,
      },
    );
    return features;
  }

  async getFlag(name: string, options?: CallOptions): Promise<Flag> {
    const answer = await this.#admin.send(featurePath(name), options);
    const etag = answer.headers.get('etag') ?? undefined;
    return { ...(await answer.json()), etag };
  }

  async getEnvironments(
    flag: Pick<Flag, 'name' | 'project'>,
    options?: CallOptions,
  ): Promise<FlagEnvironment[]> {
    const { environments } = await this.#admin.json<{
      environments: FlagEnvironment[];
    }>(projectPath(flag), options);
    return environments;
  }

  async toggleEnvironment(
    flag: Pick<Flag, 'name' | 'project'>,
    change: { environment: string; enabled: boolean },
  ): Promise<void> {
    const environment = encodeURIComponent(change.environment);
    const state = change.enabled ? 'on' : 'off';
    await this.#admin.json(
      `${projectPath(flag)}/environments/${environment}/${state}`,
      { method: 'POST' },
    );
  }

  async listSegments(options?: CallOptions): Promise<Segment[]> {
    const { segments } = await this.#admin.json<{ segments: Segment[] }>(
      '/segments',
      options,
    );
    return segments;
  }

  createSegment(segment: NewSegment): Promise<Segment> {
    return this.#admin.json('/segments', { method: 'POST', body: segment });
  }

  updateSegment(id: number, changes: Partial<NewSegment>): Promise<Segment> {
    return this.#admin.json(`/segments/${id}`, {
      method: 'PUT',
      body: changes,
    });
  }

  async deleteSegment(id: number): Promise<void> {
    await this.#admin.json(`/segments/${id}`, { method: 'DELETE' });
  }

  listContextFields(options?: CallOptions): Promise<ContextField[]> {
    return this.#admin.json('/context', options);
  }

  createFlag(flag: NewFlag): Promise<Flag> {
    return this.#admin.json('/features', { method: 'POST', body: flag });
  }

  updateFlag(
    name: string,
    changes: FlagChanges,
    { etag }: { etag?: string } = {},
  ): Promise<Flag> {
    return this.#admin.json(featurePath(name), {
      method: 'PATCH',
      body: changes,
      ifMatch: etag,
    });
  }

  toggleFlag(name: string, enabled: boolean): Promise<Flag> {
    const state = enabled ? 'on' : 'off';
    return this.#admin.json(`${featurePath(name)}/toggle/${state}`, {
      method: 'POST',
    });
  }

  archiveFlag(name: string): Promise<Flag> {
    return this.#admin.json(featurePath(name), { method: 'DELETE' });
  }

  reviveFlag(name: string): Promise<Flag> {
    return this.#admin.json(`/archive/revive/${encodeURIComponent(name)}`, {
      method: 'POST',
    });
  }

  getMetrics(name: string, options?: CallOptions): Promise<FlagMetrics> {
    return this.#admin.json(`/metrics${featurePath(name)}`, options);
  }

  async getUsage(
    name: string,
    query: { interval: Interval; count: number },
    options?: CallOptions,
  ): Promise<UsagePoint[]> {
    const { usage } = await this.#admin.json<{ usage: UsagePoint[] }>(
      `/metrics${featurePath(name)}/usage`,
      { ...options, query },
    );
    return usage;
  }

  async getRecentUsage(
    options?: CallOptions,
  ): Promise<Map<string, UsagePoint[]>> {
    const { features } = await this.#admin.json<{
      features: { featureName: string; usage: UsagePoint[] }[];
    }>('/metrics/usage', {
      ...options,
      query: { interval: 'hour', count: RECENT_HOURS },
    });
    return new Map(features.map(one => [one.featureName, one.usage]));
  }

  async getHistory(
    name: string,
    options?: CallOptions,
  ): Promise<HistoryEvent[]> {
    const { events } = await this.#admin.json<{ events: HistoryEvent[] }>(
      '/events',
      {
        ...options,
        query: { featureName: name },
      },
    );
    return events;
  }

  async listTokens(options?: CallOptions): Promise<ApiToken[]> {
    const { tokens } = await this.#admin.json<{ tokens: ApiToken[] }>(
      '/api-tokens',
      options,
    );
    return tokens;
  }

  createToken(token: {
    tokenName: string;
    type: TokenType;
  }): Promise<NewApiToken> {
    return this.#admin.json('/api-tokens', { method: 'POST', body: token });
  }

  async deleteToken(id: string): Promise<void> {
    await this.#admin.json(`/api-tokens/${encodeURIComponent(id)}`, {
      method: 'DELETE',
    });
  }

  async listApplications(options?: CallOptions): Promise<string[]> {
    const { applications } = await this.#admin.json<{
      applications: { appName: string }[];
    }>('/metrics/applications', options);
    return applications.map(({ appName }) => appName);
  }
}

function projectPath(flag: Pick<Flag, 'name' | 'project'>): string {
  return `/projects/${encodeURIComponent(flag.project)}${featurePath(flag.name)}`;
}

function featurePath(name: string): string {
  return `/features/${encodeURIComponent(name)}`;
}
