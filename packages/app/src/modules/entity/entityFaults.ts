import { type Entity, stringifyEntityRef } from '@backstage/catalog-model';
import type { AlphaEntity } from '@backstage/catalog-model/alpha';
import type { CatalogApi } from '@backstage/plugin-catalog-react';

/** Checks whether the location that an entity came from no longer lists it. */
export function isOrphan({ metadata }: Entity): boolean {
  return metadata.annotations?.['backstage.io/orphan'] === 'true';
}

/**
 * Entities with more relations than this are not checked: the response would be as large as the
 * catalog.
 */
const MAX_CHECKED = 1_000;

/**
 * Returns the references of entities to which an entity is related but which the catalog lacks.
 */
export async function missingRelations(
  catalogApi: CatalogApi,
  { relations = [] }: Entity,
): Promise<string[]> {
  const entityRefs = [...new Set(relations.map(({ targetRef }) => targetRef))];
  if (entityRefs.length === 0 || entityRefs.length > MAX_CHECKED) {
    return [];
  }
  const { items } = await catalogApi.getEntitiesByRefs({
    entityRefs,
    fields: ['kind', 'metadata.name', 'metadata.namespace'],
  });
  return entityRefs.filter((_, index) => !items[index]);
}

/** The reasons why the catalog could not process an entity. */
export interface ProcessingErrors {
  /** The entity itself, or the one that it was read from, such as a location. */
  ref: string;
  /** The catalog's messages, unique. */
  messages: readonly string[];
}

/**
 * Returns the errors of the catalog's last attempt to process an entity and its ancestors, such
 * as its location.
 */
export async function processingErrors(
  catalogApi: CatalogApi,
  entity: Entity,
): Promise<ProcessingErrors[]> {
  const { items } = await catalogApi.getEntityAncestors({
    entityRef: stringifyEntityRef(entity),
  });
  return items
    .map(item => ({
      ref: stringifyEntityRef(item.entity),
      messages: [...new Set(messagesOf(item.entity))],
    }))
    .filter(({ messages }) => messages.length > 0);
}

function messagesOf({ status }: AlphaEntity): string[] {
  return (status?.items ?? []).flatMap(({ type, level, error }) =>
    type === 'backstage.io/catalog-processing' && level === 'error' && error
      ? [error.message || error.name]
      : [],
  );
}
