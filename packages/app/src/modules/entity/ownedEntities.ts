import {
  type Entity,
  RELATION_MEMBER_OF,
  RELATION_PARENT_OF,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import type { CatalogApi } from '@backstage/plugin-catalog-react';
import { relatedRefs } from '../../entities/relatedRefs';

/** Maximum number of owners or groups per request: more would not fit into its URL. */
const OWNERS = 100;

const GROUPS = { kind: 'group' };

/** Fields that the list of owned entities shows. */
const FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.title',
  'spec.type',
  'relations',
];

/**
 * Reads the entities that a user or group owns.
 *
 * @param options.kinds - kinds of entities to read.
 * @param options.isIndirect - true to include what the groups of the user, or the groups below
 *   the group, own.
 */
export async function ownedEntities(
  catalogApi: CatalogApi,
  owner: Entity,
  options: { kinds: readonly string[]; isIndirect: boolean },
): Promise<Entity[]> {
  const owners = options.isIndirect
    ? await ownersOf(catalogApi, owner)
    : [stringifyEntityRef(owner)];
  return readBatches(owners, some =>
    catalogApi.getEntities({
      filter: [{ kind: [...options.kinds], 'relations.ownedBy': some }],
      fields: FIELDS,
    }),
  );
}

/** Returns the references of a user and the user's groups, or of a group and all groups below. */
async function ownersOf(
  catalogApi: CatalogApi,
  owner: Entity,
): Promise<string[]> {
  const self = stringifyEntityRef(owner);
  if (owner.kind === 'User') {
    return [...relatedRefs(owner, RELATION_MEMBER_OF, GROUPS), self];
  }
  const known = new Set([self]);
  let next = relatedRefs(owner, RELATION_PARENT_OF, GROUPS);
  while (next.length > 0) {
    const entityRefs = next.filter(ref => !known.has(ref));
    entityRefs.forEach(ref => known.add(ref));
    const { items } =
      entityRefs.length > 0
        ? await catalogApi.getEntitiesByRefs({
            entityRefs,
            fields: [
              'kind',
              'metadata.name',
              'metadata.namespace',
              'relations',
            ],
          })
        : { items: [] };
    next = items.flatMap(item =>
      item ? relatedRefs(item, RELATION_PARENT_OF, GROUPS) : [],
    );
  }
  return [...known];
}

/**
 * Reads the members of a group.
 *
 * @param isIndirect - true to include the members of all groups below.
 */
export async function membersOf(
  catalogApi: CatalogApi,
  group: Entity,
  isIndirect: boolean,
): Promise<Entity[]> {
  const groups = isIndirect
    ? await ownersOf(catalogApi, group)
    : [stringifyEntityRef(group)];
  return readBatches(groups, some =>
    catalogApi.getEntities({
      filter: { kind: 'User', 'relations.memberof': some },
    }),
  );
}

/** Reads the entities that are related to any of `refs`, each once. */
async function readBatches(
  refs: readonly string[],
  read: (some: string[]) => Promise<{ items: Entity[] }>,
): Promise<Entity[]> {
  const entities = new Map<string, Entity>();
  for (let start = 0; start < refs.length; start += OWNERS) {
    const { items } = await read(refs.slice(start, start + OWNERS));
    items.forEach(item => entities.set(stringifyEntityRef(item), item));
  }
  return [...entities.values()];
}
