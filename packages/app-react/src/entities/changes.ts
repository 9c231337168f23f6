import { useApiHolder } from '@backstage/frontend-plugin-api';
import type { ItemKind, TimelineItem } from '@slipway/entity-contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import {
  type CatalogLike,
  ENTITY_FIELDS,
  namesIn,
  type NamedEntity,
  refOf,
} from './components';
import { entityPartsApiRef } from './entityParts';

const DAY_MS = 86_400_000;
const MAX_ITEMS = 200;
/** Each component is another request to each part. */
const MAX_COMPONENTS = 5;
/** Time for which the components and their changes are fresh. */
const FRESH_MS = 60_000;

/**
 * Fetches what changed about the components that name a thing in an annotation, such as
 * deployments, for the marks of charts. Marks are optional: without a catalog or parts, or if
 * one of them fails, there are fewer.
 *
 * @param options.exists - the catalog's filter for an annotation with any value.
 * @param options.isNamed - checks one of the comma-separated names of the annotation.
 */
export function useChangesOf(options: {
  catalog: CatalogLike | undefined;
  exists: symbol;
  annotation: string;
  isNamed(name: string): boolean;
  kinds: readonly ItemKind[];
  days: number;
}): readonly TimelineItem[] {
  const { catalog, exists, annotation, isNamed, kinds, days } = options;
  const api = useApiHolder().get(entityPartsApiRef);
  const parts = (api?.list() ?? []).filter(part =>
    part.kinds.some(kind => kinds.includes(kind)),
  );
  const { data: components = [] } = useQuery({
    queryKey: ['components', annotation],
    queryFn: () => componentsWith(annotation, { catalog: catalog!, exists }),
    enabled: catalog !== undefined && parts.length > 0,
    staleTime: FRESH_MS,
  });
  const refs = components
    .filter(entity => namesIn(entity, annotation).some(isNamed))
    .slice(0, MAX_COMPONENTS)
    .map(refOf);
  const today = Math.floor(Date.now() / DAY_MS);
  const from = new Date((today - days) * DAY_MS).toISOString();
  const answers = useQueries({
    queries: parts.flatMap(part =>
      refs.map(ref => ({
        queryKey: ['entity-changes', part.id, ref, from],
        queryFn: () => api!.timeline(part, ref, { from, limit: MAX_ITEMS }),
        staleTime: FRESH_MS,
      })),
    ),
  });
  return answers
    .flatMap(({ data }) => data?.items ?? [])
    .filter(({ kind }) => kinds.includes(kind));
}

/** Reads all components that have an annotation, whatever its value. */
async function componentsWith(
  annotation: string,
  { catalog, exists }: { catalog: CatalogLike; exists: symbol },
): Promise<readonly NamedEntity[]> {
  const { items } = await catalog.getEntities({
    filter: {
      kind: 'component',
      [`metadata.annotations.${annotation}`]: exists,
    },
    fields: ENTITY_FIELDS,
  });
  return items;
}

/** A point in time to mark in a chart. */
export interface ChartMark<At extends string | number = number> {
  at: At;
  text: string;
}

/**
 * Places marks into the buckets of a chart, which begin in ascending order: each in the last one
 * that began before it. Marks before the first bucket are left out.
 */
export function marksByBucket<At extends string | number>(
  starts: readonly At[],
  marks: readonly ChartMark<At>[],
): string[][] {
  const placed: string[][] = starts.map(() => []);
  for (const { at, text } of marks) {
    const next = starts.findIndex(start => start > at);
    const index = next === -1 ? starts.length - 1 : next - 1;
    placed[index]?.push(text);
  }
  return placed;
}

/** Describes a change in a mark: "shop 1.4 to prod: failed". */
export function changeText({ title, state }: TimelineItem): string {
  return state ? `${title}: ${state}` : title;
}

/** Returns the name of the actor of a change: `user:default/ada` becomes ada, `token:ci` stays the same. */
export function actorName(actor: string): string {
  return actor.replace(/^user:[^/]+\//, '');
}
