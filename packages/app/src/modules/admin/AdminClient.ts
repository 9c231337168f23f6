import {
  createApiRef,
  type DiscoveryApi,
  type FetchApi,
} from '@backstage/frontend-plugin-api';
import {
  type EntityPart,
  type EntityPartsApi,
  type ServiceCall,
  ServiceClient,
} from '@slipway/app-react';
import type {
  Administration,
  AuditAnswer,
  AuditEntry,
  Role,
  Token,
  Webhook,
} from '@slipway/entity-contract';

/** The health of a part of the platform. */
export interface PartHealth {
  name: string;
  state: 'up' | 'degraded' | 'down';
  version: string | null;
  failing: string[];
}

/** An entry of an audit log, with the title of the part that reported it. */
export interface PartAct extends AuditEntry {
  part: string;
}

/** The audit entries of all parts. */
export interface PlatformAudit {
  acts: PartAct[];
  /** Titles of all parts. */
  parts: string[];
  /** Titles of the parts that did not respond. */
  missing: string[];
  /** True if a part has more entries than it returned. */
  truncated: boolean;
}

/** Something that a part reported, with an id that is unique in the platform. */
export type OfPart<T> = T & {
  id: string;
  /** Title of the part. */
  part: string;
  /** Id of the part, for {@link AdminApi.remove} and {@link AdminApi.test}. */
  partId: string;
};

/** The roles, tokens and webhooks of all parts. */
export interface PlatformAdministration {
  roles: OfPart<Role>[];
  tokens: OfPart<Token>[];
  webhooks: OfPart<Webhook>[];
  /** Titles of all parts. */
  parts: string[];
  /** Titles of the parts that did not respond. */
  missing: string[];
}

/** The result of a test event. */
export interface TestOutcome {
  delivered: boolean;
  error: string | null;
}

/** Reads the data of the administration pages. Every method rejects if the response is not 2xx. */
export interface AdminApi {
  /**
   * Reads the audit logs of the portal and of all companion services with an entity API.
   * @throws the error of a part if no part returned anything.
   */
  audit(query: { from: string; limit: number }): Promise<PlatformAudit>;
  /**
   * Reads who may do what in the portal and all parts, and their tokens and webhooks.
   * @throws the error of a part if no part returned anything.
   */
  administration(): Promise<PlatformAdministration>;
  /** Removes a token or webhook whose part reported a path for that. */
  remove(item: OfPart<Pick<Token, 'remove'>>): Promise<void>;
  /** Sends a test event to a webhook whose part reported a path for that. */
  test(webhook: OfPart<Pick<Webhook, 'test'>>): Promise<TestOutcome>;
  /**
   * Resends the deliveries that a webhook has not accepted, if its part reported a path for that.
   * @returns the number of deliveries.
   */
  redeliver(webhook: OfPart<Pick<Webhook, 'redeliver'>>): Promise<number>;
  /** Returns when each user last opened the inbox, by entity reference in lower case. */
  visits(): Promise<ReadonlyMap<string, string>>;
  /** Returns the health of each part of the platform. */
  health(): Promise<PartHealth[]>;
  /** Returns the number of people who opened a page of the portal in the last `days` days. */
  people(days: number): Promise<number>;
}

/** {@link AdminApi} */
export const adminApiRef = createApiRef<AdminApi>().with({
  id: 'app.admin',
  pluginId: 'app',
});

/** The fields of an entity part that are used here. */
type Part = Pick<EntityPart, 'id' | 'title' | 'pluginId' | 'path'>;

/** The portal itself, which reports like a part. */
const PORTAL: Part = {
  id: 'portal',
  title: 'Portal',
  pluginId: 'admin',
  path: '',
};

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
    // Plugins write to the audit log of the portal.
    const { answers, ...parts } = await this.#askAll<AuditAnswer>(
      [PORTAL, ...services],
      { path: '/audit', query },
    );
    return {
      ...parts,
      acts: answers.flatMap(([{ id, title }, { entries }]) =>
        entries.map(entry => ({
          ...entry,
          id: `${id} ${entry.id}`,
          part: title,
        })),
      ),
      truncated: answers.some(([, { truncated }]) => truncated),
    };
  }

  async administration(): Promise<PlatformAdministration> {
    const { answers, ...parts } = await this.#askAll<Administration>(
      [PORTAL, ...this.#parts.list()],
      { path: '/administration' },
    );
    return {
      ...parts,
      roles: answers.flatMap(([part, { roles }]) =>
        roles.map(role => ofPart(part, { ...role, id: role.name })),
      ),
      tokens: answers.flatMap(([part, { tokens }]) =>
        tokens.map(token => ofPart(part, token)),
      ),
      webhooks: answers.flatMap(([part, { webhooks }]) =>
        webhooks.map(webhook => ofPart(part, webhook)),
      ),
    };
  }

  async remove({ partId, remove }: OfPart<Pick<Token, 'remove'>>) {
    const [client, path] = this.#inPart(partId, remove);
    await client.send(path, { method: 'DELETE' });
  }

  async test({
    partId,
    test,
  }: OfPart<Pick<Webhook, 'test'>>): Promise<TestOutcome> {
    const [client, path] = this.#inPart(partId, test);
    return client.json(path, { method: 'POST' });
  }

  async redeliver({
    partId,
    redeliver,
  }: OfPart<Pick<Webhook, 'redeliver'>>): Promise<number> {
    const [client, path] = this.#inPart(partId, redeliver);
    const { deliveries } = await client.json<{ deliveries: number }>(path, {
      method: 'POST',
      body: {},
    });
    return deliveries;
  }

  async visits(): Promise<ReadonlyMap<string, string>> {
    const { visits } = await new ServiceClient({
      ...this.#deps,
      pluginId: 'inbox',
    }).json<{ visits: { user: string; at: string }[] }>('/visits');
    return new Map(visits.map(({ user, at }) => [user.toLowerCase(), at]));
  }

  async health(): Promise<PartHealth[]> {
    const { parts } = await this.#at(PORTAL).json<{ parts: PartHealth[] }>(
      '/health',
    );
    return parts;
  }

  async people(days: number): Promise<number> {
    const { results } = await this.#at({
      path: '/analytics/api/projects/portal',
    }).json<{ results: number[][] }>('/query', {
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

  /**
   * Sends the same query to several parts in parallel.
   *
   * @throws the error of the first part if none responded.
   */
  async #askAll<T>(
    parts: readonly Part[],
    { path, query }: { path: string; query?: ServiceCall['query'] },
  ): Promise<{ answers: [Part, T][]; parts: string[]; missing: string[] }> {
    const settled = await Promise.allSettled(
      parts.map(part => this.#at(part).json<T>(path, { query })),
    );
    const [first] = settled;
    if (settled.every(one => one.status === 'rejected')) {
      throw (first as PromiseRejectedResult).reason;
    }
    return {
      answers: settled.flatMap((one, index) =>
        one.status === 'fulfilled' ? [[parts[index], one.value]] : [],
      ),
      parts: parts.map(({ title }) => title),
      missing: parts
        .filter((_, index) => settled[index].status === 'rejected')
        .map(({ title }) => title),
    };
  }

  /**
   * Returns a client for the paths that a part reports, which begin at its root.
   *
   * @throws Error if the part is gone, or the path is missing.
   */
  #inPart(id: string, path: string | undefined): [ServiceClient, string] {
    const part = this.#parts.list().find(each => each.id === id);
    if (!part || path === undefined) {
      throw new Error(`${id} reports no path for this`);
    }
    const root = part.path.replace(/\/api\/v1$/, '');
    return [this.#at({ ...part, path: root }), path];
  }

  #at({ pluginId, path }: Pick<Part, 'pluginId' | 'path'>): ServiceClient {
    return new ServiceClient({ ...this.#deps, pluginId, path });
  }
}

function ofPart<T extends { id: string }>(
  { id, title }: Part,
  reported: T,
): OfPart<T> {
  return { ...reported, id: `${id} ${reported.id}`, part: title, partId: id };
}
