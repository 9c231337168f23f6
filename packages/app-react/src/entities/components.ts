import { useQuery, type UseQueryResult } from '@tanstack/react-query';

/**
 * Maximum number of components of a system or group that a page shows, as in the summaries of its
 * parts.
 */
const MAX_COMPONENTS = 100;
/** Time for which the components are fresh. */
const FRESH_MS = 60_000;

/** The members of a catalog entity that are used here. */
export interface NamedEntity {
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    title?: string;
    annotations?: Record<string, string>;
  };
}

/** The part of the catalog's client that is used here. */
export interface CatalogLike {
  getEntities(request: {
    filter: Record<string, string | symbol>;
    fields: string[];
    limit?: number;
  }): Promise<{ items: readonly NamedEntity[] }>;
}

/** The fields of a {@link NamedEntity} to request. */
export const ENTITY_FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.title',
  'metadata.annotations',
];

/** Returns the reference of an entity: `component:default/shop`. */
export function refOf({ kind, metadata }: NamedEntity): string {
  const { namespace = 'default', name } = metadata;
  return `${kind}:${namespace}/${name}`.toLocaleLowerCase('en-US');
}

/** Returns the comma-separated names in an annotation of an entity. */
export function namesIn(
  { metadata }: Pick<NamedEntity, 'metadata'>,
  annotation: string,
): string[] {
  return (metadata.annotations?.[annotation] ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);
}

/** The relation by which components belong to an entity, by the kind of that entity. */
const RELATIONS: Readonly<Record<string, string>> = {
  system: 'relations.partOf',
  group: 'relations.ownedBy',
};

/**
 * Reads the components that a system contains or a group owns, sorted by name, at most a hundred.
 * For a component, returns only the component itself, without a request.
 */
export function useComponentsOf(
  entity: NamedEntity,
  catalog: CatalogLike | undefined,
): UseQueryResult<readonly NamedEntity[]> {
  const relation = RELATIONS[entity.kind.toLocaleLowerCase('en-US')];
  const ref = refOf(entity);
  return useQuery({
    queryKey: ['components-of', ref],
    queryFn: async () => {
      const { items } = await catalog!.getEntities({
        filter: { kind: 'component', [relation]: ref },
        fields: ENTITY_FIELDS,
        limit: MAX_COMPONENTS,
      });
      return [...items].sort((one, other) =>
        one.metadata.name.localeCompare(other.metadata.name, 'en'),
      );
    },
    enabled: relation !== undefined && catalog !== undefined,
    initialData: relation === undefined ? [entity] : undefined,
    staleTime: FRESH_MS,
  });
}
