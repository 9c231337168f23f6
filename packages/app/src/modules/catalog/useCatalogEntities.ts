import type { Entity } from '@backstage/catalog-model';
import { useApi } from '@backstage/frontend-plugin-api';
import {
  type CatalogApi,
  catalogApiRef,
} from '@backstage/plugin-catalog-react';
import { type Loaded, useLoaded } from '../../entities/useLoaded';

/** The fields that the columns and filters read. */
const FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.title',
  'metadata.description',
  'metadata.tags',
  'metadata.annotations',
  'spec.type',
  'spec.lifecycle',
  'spec.profile',
  'relations',
];

/** Filters for the catalog API, by field. */
export type CatalogQuery = Record<
  string,
  string | symbol | (string | symbol)[]
>;

/** Reads all entities that match a filter, page by page. */
export async function readEntities(
  catalogApi: Pick<CatalogApi, 'streamEntities'>,
  request: { filter: CatalogQuery; fields?: string[] },
): Promise<Entity[]> {
  const entities: Entity[] = [];
  for await (const page of catalogApi.streamEntities(request)) {
    entities.push(...page);
  }
  return entities;
}

/**
 * Loads all entities of a kind, to be sorted in the browser: the catalog's API sorts by one field
 * only, and omits entities that lack it.
 * @param options.filter - further conditions for the catalog to check.
 * @param options.hasAllFields - true if filters of other plugins read the entities, too.
 */
export function useCatalogEntities(options: {
  kind: string;
  filter?: CatalogQuery;
  hasAllFields?: boolean;
}): Loaded<Entity[]> {
  const { kind, filter, hasAllFields = false } = options;
  const catalogApi = useApi(catalogApiRef);
  return useLoaded(
    () =>
      readEntities(catalogApi, {
        filter: { ...filter, kind },
        ...(!hasAllFields && { fields: FIELDS }),
      }),
    [catalogApi, kind, JSON.stringify(filter ?? {}), hasAllFields],
  );
}

/** Returns the kinds of entities in the catalog, in lower case. */
export function useCatalogKinds(): readonly string[] {
  const catalogApi = useApi(catalogApiRef);
  const kinds = useLoaded(async () => {
    const { facets } = await catalogApi.getEntityFacets({ facets: ['kind'] });
    return facets.kind.map(({ value }) => value.toLowerCase()).sort();
  }, [catalogApi]);
  return kinds.state === 'ready' ? kinds.value : [];
}
