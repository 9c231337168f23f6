import { type ComponentType, useMemo } from 'react';
import {
  createApiRef,
  createExtensionBlueprint,
  createExtensionDataRef,
  type DiscoveryApi,
  type FetchApi,
  useApi,
} from '@backstage/frontend-plugin-api';
import type {
  EntitySummary,
  ItemKind,
  TimelineItem,
} from '@slipway/entity-contract';
import {
  useQueries,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { ServiceClient } from '../http/ServiceClient';

/** A part of the platform that provides information about catalog entities. */
export interface EntityPart {
  /** Id of the extension that provides it. */
  id: string;
  /** Title, e.g. "Builds". */
  title: string;
  icon: ComponentType<{ size?: number | string }>;
  /** The portal plugin that serves it; defaults to the proxy. */
  pluginId?: string;
  /** Path within the plugin, before `/entities/{ref}`: `/build-server/api/v1`. */
  path: string;
  /** Cards are sorted by it in ascending order. */
  order: number;
  /** True for a card that spans two columns. */
  isWide?: boolean;
  /** The kinds of its timeline items; if empty, its timeline is not requested. */
  kinds: readonly ItemKind[];
}

const partDataRef = createExtensionDataRef<EntityPart>().with({
  id: 'slipway.entity-part',
});

/**
 * Adds a part that serves `GET /entities/{ref}/summary` and `/timeline` to the overview of
 * components, systems and groups, and to their timeline. The inbox lists its parts in `inbox.parts`
 * of the configuration.
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

/** The period of a timeline, and its maximum number of items, of which the newest are returned. */
interface TimelinePeriod {
  /** Inclusive, ISO 8601. */
  from: string;
  /** Exclusive, ISO 8601; now by default. */
  to?: string;
  limit: number;
}

/** The timeline of a part, newest first. */
interface TimelineAnswer {
  items: TimelineItem[];
  /** True if there are more items in the period. */
  truncated: boolean;
  /** True if it lists only the user's own items. */
  ownOnly?: boolean;
}

/** Requests information about entities from the parts. */
export interface EntityPartsApi {
  /** Lists the parts in the order of their cards. */
  list(): readonly EntityPart[];
  summary(part: EntityPart, ref: string): Promise<EntitySummary>;
  timeline(
    part: EntityPart,
    ref: string,
    query: TimelinePeriod,
  ): Promise<TimelineAnswer>;
}

/** {@link EntityPartsApi} */
export const entityPartsApiRef = createApiRef<EntityPartsApi>().with({
  id: 'app.entity-parts',
  pluginId: 'app',
});

/** Requests the parts over HTTP, each at its own address. */
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
    query: TimelinePeriod,
  ): Promise<TimelineAnswer> {
    return this.#clientOf(part).json(`${pathOf(ref)}/timeline`, {
      query: { ...query },
    });
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

/** The response of a part, or the reason for its failure. */
export interface PartAnswer<T> {
  part: EntityPart;
  answer: Pick<
    UseQueryResult<T>,
    'data' | 'error' | 'isPending' | 'isPlaceholderData' | 'refetch'
  >;
}

/** Interval at which visible data is refetched. */
const LIVE_MS = 60_000;

/** Fetches the summary of an entity from all parts in parallel; fetches nothing if undefined. */
export function useEntitySummaries(
  ref: string | undefined,
): PartAnswer<EntitySummary>[] {
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

/**
 * Fetches the timeline of an entity for the last days, from the parts that have one. While another
 * period loads, and if that fails, each part keeps its response for the previous one.
 */
export function useEntityTimeline(
  ref: string,
  { days, limit }: { days: number; limit: number },
): PartAnswer<TimelineAnswer>[] {
  const api = useApi(entityPartsApiRef);
  const parts = api.list().filter(({ kinds }) => kinds.length > 0);
  // Rounded to the day: otherwise each render would create a new query.
  const from = useMemo(
    () =>
      `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`,
    [days],
  );
  const client = useQueryClient();
  const previousOf = (part: EntityPart) =>
    client
      .getQueriesData<TimelineAnswer>({
        queryKey: ['entity-timeline', part.id, ref],
      })
      .findLast(([, data]) => data !== undefined)?.[1];
  const answers = useQueries({
    queries: parts.map(part => ({
      queryKey: ['entity-timeline', part.id, ref, from, limit],
      queryFn: () => api.timeline(part, ref, { from, limit }),
      // The response for the previous period, shown until this one has loaded.
      placeholderData: () => previousOf(part),
    })),
  });
  return parts.map((part, index) => {
    const { data, error, isPending, isPlaceholderData, refetch } =
      answers[index];
    const previous = error && !data ? previousOf(part) : undefined;
    return {
      part,
      answer: {
        data: data ?? previous,
        error,
        isPending,
        isPlaceholderData: isPlaceholderData || previous !== undefined,
        refetch,
      },
    };
  });
}
