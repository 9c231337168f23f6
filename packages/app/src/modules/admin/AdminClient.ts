import {
  createApiRef,
  type DiscoveryApi,
  type FetchApi,
} from '@backstage/frontend-plugin-api';
import { type EntityPartsApi, ServiceClient } from '@slipway/app-react';
import type { AuditAnswer, AuditEntry } from '@slipway/entity-contract';

/** The health of a part of the platform. */
export interface PartHealth {
  name: string;
  state: 'up' | 'degraded' | 'down';
  version: string | null;
  failing: string[];
}

/** An act, with the title of the part that reported it. */
export interface PartAct extends AuditEntry {
  part: string;
}

/** The acts of all parts. */
export interface PlatformAudit {
  acts: PartAct[];
  /** Titles of all parts. */
  parts: string[];
  /** Titles of the parts that did not respond. */
  missing: string[];
  /** True if a part has more acts than it returned. */
  truncated: boolean;
}

/** Reads the data of the administration pages. Every method rejects if the response is not 2xx. */
export interface AdminApi {
  /**
   * Reads the acts of the portal and of all companion services with an entity API.
   * @throws the error of a part if no part returned anything.
   */
  audit(query: { from: string; limit: number }): Promise<PlatformAudit>;
  health(): Promise<PartHealth[]>;
  /** Returns the number of people who opened a page of the portal in the last days. */
  people(days: number): Promise<number>;
}

/** {@link AdminApi} */
export const adminApiRef = createApiRef<AdminApi>().with({
  id: 'app.admin',
  pluginId: 'app',
});

/** Reads the data of the administration pages over HTTP. */
export class AdminClient implements AdminApi {
  readonly #deps: { discoveryApi: DiscoveryApi; fetchApi: FetchApi };
  readonly #parts: Pick<EntityPartsApi, 'list'>;

  constructor(options: {
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
    parts: Pick<EntityPartsApi, 'list'>;
  }) {
    const { parts, ...deps } = options;
    this.#deps = deps;
    this.#parts = parts;
  }

  async audit(query: { from: string; limit: number }): Promise<PlatformAudit> {
    const services = this.#parts.list().filter(({ pluginId }) => !pluginId);
    const parts: { id: string; title: string; path?: string }[] = [
      { id: 'portal', title: 'Portal' },
      ...services,
    ];
    const answers = await Promise.allSettled(
      parts.map(({ path }) =>
        this.#at(path).json<AuditAnswer>('/audit', { query }),
      ),
    );
    const audit: PlatformAudit = {
      acts: [],
      parts: parts.map(({ title }) => title),
      missing: [],
      truncated: false,
    };
    answers.forEach((answer, index) => {
      const { id, title } = parts[index];
      if (answer.status === 'rejected') {
        audit.missing.push(title);
        return;
      }
      const { entries, truncated } = answer.value;
      audit.acts.push(
        ...entries.map(entry => ({
          ...entry,
          id: `${id} ${entry.id}`,
          part: title,
        })),
      );
      audit.truncated ||= truncated;
    });
    const [first] = answers;
    if (audit.missing.length === parts.length && first.status === 'rejected') {
      throw first.reason;
    }
    return audit;
  }

  async health(): Promise<PartHealth[]> {
    const { parts } = await this.#at().json<{ parts: PartHealth[] }>('/health');
    return parts;
  }

  async people(days: number): Promise<number> {
    const { results } = await this.#at('/analytics/api/projects/portal').json<{
      results: number[][];
    }>('/query', {
      method: 'POST',
      body: {
        query: {
          kind: 'EventsQuery',
          select: ['count(distinct distinct_id)'],
          after: `-${days}d`,
        },
      },
    });
    return Number(results[0]?.[0] ?? 0);
  }

  /** @param path - below the proxy; the portal's own administration if omitted. */
  #at(path?: string): ServiceClient {
    return new ServiceClient({
      ...this.#deps,
      ...(path === undefined ? { pluginId: 'admin' } : { path }),
    });
  }
}
