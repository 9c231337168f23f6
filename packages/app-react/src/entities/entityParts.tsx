import { type ComponentType, type PropsWithChildren, useMemo } from 'react';
import {
  type ApiHolder,
  createApiRef,
  createExtensionBlueprint,
  createExtensionDataRef,
  type DiscoveryApi,
  type FetchApi,
  useApi,
  useApiHolder,
} from '@backstage/frontend-plugin-api';
import type {
  EntitySummary,
  ItemKind,
  TimelineItem,
} from '@slipway/entity-contract';
import {
  type QueryClient,
  QueryClientProvider,
  useQueries,
  type UseQueryResult,
} from '@tanstack/react-query';
import { ServiceClient } from '../http/ServiceClient';
import { createServiceQueryClient } from '../pages/createServiceQueryClient';
import { queryClientFactoryApiRef } from '../pages/pagesOfService';

/** A part of the platform that tells what it knows of entities of the catalog. */
export interface EntityPart {
  /** Id of the extension that brings it. */
  id: string;
  /** e.g. "Builds". */
  title: string;
  icon: ComponentType<{ size?: number | string }>;
  /** The plugin of the portal that answers; the proxy when left out. */
  pluginId?: string;
  /** Below it, in front of `/entities/{ref}`: `/build-server/api/v1`. */
  path: string;
  /** Cards stand by it, the lowest first. */
  order: number;
  /** True for a card that needs the width of two. */
  isWide?: boolean;
  /** The kinds of items that its timeline has; without any it is not asked. */
  kinds: readonly ItemKind[];
}

const partDataRef = createExtensionDataRef<EntityPart>().with({
  id: 'slipway.entity-part',
});

/**
 * Adds a part to the overview of components, systems and groups, to their timeline and to
 * the inbox: one that answers `GET /entities/{ref}/summary` and `/timeline`.
 */
export const EntityPartBlueprint = createExtensionBlueprint({
  kind: 'entity-part',
  attachTo: { id: 'api:app/entity-parts', input: 'parts' },
  output: [partDataRef],
  dataRefs: { part: partDataRef },
  *factory(params: Omit<EntityPart, 'id'>, { node }) {
    yield partDataRef({ ...params, id: node.spec.id });
  },
});

/** Asks parts about entities. */
export interface EntityPartsApi {
  /** Lists the parts in the order of their cards. */
  list(): readonly EntityPart[];
  summary(part: EntityPart, ref: string): Promise<EntitySummary>;
  /** @param query.from - ISO 8601. */
  timeline(
    part: EntityPart,
    ref: string,
    query: { from: string; limit: number },
  ): Promise<{ items: TimelineItem[]; truncated: boolean }>;
}

/** {@link EntityPartsApi} */
export const entityPartsApiRef = createApiRef<EntityPartsApi>().with({
  id: 'app.entity-parts',
  pluginId: 'app',
});

/** Asks the parts over HTTP, each at its own address. */
export class EntityPartsClient implements EntityPartsApi {
  readonly #parts: readonly EntityPart[];
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;

  constructor(options: {
    parts: readonly EntityPart[];
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
  }) {
    this.#parts = [...options.parts].sort((a, b) => a.order - b.order);
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
  }

  list(): readonly EntityPart[] {
    return this.#parts;
  }

  summary(part: EntityPart, ref: string): Promise<EntitySummary> {
    return this.#clientOf(part).json(`${pathOf(ref)}/summary`);
  }

  timeline(
    part: EntityPart,
    ref: string,
    query: { from: string; limit: number },
  ): Promise<{ items: TimelineItem[]; truncated: boolean }> {
    return this.#clientOf(part).json(`${pathOf(ref)}/timeline`, { query });
  }

  #clientOf({ pluginId, path }: EntityPart): ServiceClient {
    return new ServiceClient({
      discoveryApi: this.#discoveryApi,
      fetchApi: this.#fetchApi,
      pluginId,
      path,
    });
  }
}

function pathOf(ref: string): string {
  return `/entities/${encodeURIComponent(ref)}`;
}

/** What a part answered, or why it did not. */
export interface Asked<T> {
  part: EntityPart;
  answer: UseQueryResult<T>;
}

/** How often what is shown is asked for again. */
const LIVE_MS = 60_000;

/** Asks all parts at once how it stands with an entity; undefined asks nothing. */
export function useEntitySummaries(
  ref: string | undefined,
): Asked<EntitySummary>[] {
  const api = useApi(entityPartsApiRef);
  const parts = api.list();
  const answers = useQueries({
    queries: parts.map(part => ({
      queryKey: ['entity-summary', part.id, ref],
      queryFn: () => api.summary(part, ref!),
      enabled: ref !== undefined,
      refetchInterval: LIVE_MS,
    })),
  });
  return parts.map((part, index) => ({ part, answer: answers[index] }));
}

const DAY_MS = 86_400_000;

/** Asks the parts that have items what happened to an entity in the last days. */
export function useEntityTimeline(
  ref: string,
  { days, limit }: { days: number; limit: number },
): Asked<{ items: TimelineItem[]; truncated: boolean }>[] {
  const api = useApi(entityPartsApiRef);
  const parts = api.list().filter(({ kinds }) => kinds.length > 0);
  // Of the day: another moment would be another query with each render.
  const from = useMemo(
    () =>
      `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`,
    [days],
  );
  const answers = useQueries({
    queries: parts.map(part => ({
      queryKey: ['entity-timeline', part.id, ref, from, limit],
      queryFn: () => api.timeline(part, ref, { from, limit }),
    })),
  });
  return parts.map((part, index) => ({ part, answer: answers[index] }));
}

// One client for each app: two apps, or two tests, share nothing.
const clients = new WeakMap<ApiHolder, QueryClient>();

/** Gives what is inside the queries of parts; cards and inbox share what was asked. */
export function EntityParts({ children }: PropsWithChildren<{}>) {
  const app = useApiHolder();
  const client =
    clients.get(app) ??
    (app.get(queryClientFactoryApiRef) ?? createServiceQueryClient)();
  clients.set(app, client);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
