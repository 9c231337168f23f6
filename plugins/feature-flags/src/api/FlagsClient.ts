import { ResponseError } from '@backstage/errors';
import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import type { CallOptions, FlagsApi } from './FlagsApi';
import type {
  ApiToken,
  Flag,
  FlagChanges,
  FlagMetrics,
  FlagUser,
  HistoryEvent,
  Interval,
  NewApiToken,
  NewFlag,
  TokenType,
  UsagePoint,
} from './types';

const RECENT_HOURS = 24;

interface Call extends CallOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | boolean>;
  body?: object;
}

/** {@link FlagsApi} over HTTP: through the portal's proxy, with its session. */
export class FlagsClient implements FlagsApi {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
  }

  async getPortalFlags(
    options?: CallOptions,
  ): Promise<Record<string, boolean>> {
    const { flags } = await this.#fetch<{ flags: Record<string, boolean> }>(
      `${await this.#discoveryApi.getBaseUrl('feature-flags')}/portal-flags`,
      options,
    );
    return flags;
  }

  getUser(options?: CallOptions): Promise<FlagUser> {
    return this.#json('/user', options);
  }

  async listFlags(
    query: { archived: boolean },
    options?: CallOptions,
  ): Promise<Flag[]> {
    const { features } = await this.#json<{ features: Flag[] }>('/features', {
      ...options,
      query,
    });
    return features;
  }

  getFlag(name: string, options?: CallOptions): Promise<Flag> {
    return this.#json(featurePath(name), options);
  }

  createFlag(flag: NewFlag): Promise<Flag> {
    return this.#json('/features', { method: 'POST', body: flag });
  }

  updateFlag(name: string, changes: FlagChanges): Promise<Flag> {
    return this.#json(featurePath(name), { method: 'PATCH', body: changes });
  }

  toggleFlag(name: string, enabled: boolean): Promise<Flag> {
    const state = enabled ? 'on' : 'off';
    return this.#json(`${featurePath(name)}/toggle/${state}`, {
      method: 'POST',
    });
  }

  archiveFlag(name: string): Promise<Flag> {
    return this.#json(featurePath(name), { method: 'DELETE' });
  }

  reviveFlag(name: string): Promise<Flag> {
    return this.#json(`/archive/revive/${encodeURIComponent(name)}`, {
      method: 'POST',
    });
  }

  getMetrics(name: string, options?: CallOptions): Promise<FlagMetrics> {
    return this.#json(`/metrics${featurePath(name)}`, options);
  }

  async getUsage(
    name: string,
    query: { interval: Interval; count: number },
    options?: CallOptions,
  ): Promise<UsagePoint[]> {
    const { usage } = await this.#json<{ usage: UsagePoint[] }>(
      `/metrics${featurePath(name)}/usage`,
      { ...options, query },
    );
    return usage;
  }

  async getRecentUsage(
    options?: CallOptions,
  ): Promise<Map<string, UsagePoint[]>> {
    const { features } = await this.#json<{
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
    const { events } = await this.#json<{ events: HistoryEvent[] }>('/events', {
      ...options,
      query: { featureName: name },
    });
    return events;
  }

  async listTokens(options?: CallOptions): Promise<ApiToken[]> {
    const { tokens } = await this.#json<{ tokens: ApiToken[] }>(
      '/api-tokens',
      options,
    );
    return tokens;
  }

  createToken(token: {
    tokenName: string;
    type: TokenType;
  }): Promise<NewApiToken> {
    return this.#json('/api-tokens', { method: 'POST', body: token });
  }

  async deleteToken(id: string): Promise<void> {
    await this.#json(`/api-tokens/${encodeURIComponent(id)}`, {
      method: 'DELETE',
    });
  }

  async listApplications(options?: CallOptions): Promise<string[]> {
    const { applications } = await this.#json<{
      applications: { appName: string }[];
    }>('/metrics/applications', options);
    return applications.map(({ appName }) => appName);
  }

  async #json<T>(path: string, call: Call = {}): Promise<T> {
    const proxy = await this.#discoveryApi.getBaseUrl('proxy');
    return this.#fetch(`${proxy}/feature-flags/api/admin${path}`, call);
  }

  async #fetch<T>(address: string, call: Call = {}): Promise<T> {
    const { method, query = {}, body, signal } = call;
    const url = new URL(address);
    for (const [key, value] of Object.entries(query)) {
      url.searchParams.set(key, String(value));
    }
    const response = await this.#fetchApi.fetch(url, {
      method,
      signal,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return response.json();
  }
}

function featurePath(name: string): string {
  return `/features/${encodeURIComponent(name)}`;
}
