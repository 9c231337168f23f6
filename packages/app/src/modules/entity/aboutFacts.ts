import {
  type Entity,
  getEntitySourceLocation,
  RELATION_CHILD_OF,
  RELATION_MEMBER_OF,
  RELATION_OWNED_BY,
  RELATION_PARENT_OF,
  RELATION_PART_OF,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { relatedRefs } from '../../entities/relatedRefs';

/** A fact that the catalog has about an entity. */
export type AboutFact =
  | { id: 'email'; email: string }
  | {
      id:
        | 'owner'
        | 'system'
        | 'domain'
        | 'partOf'
        | 'memberOf'
        | 'parent'
        | 'children';
      /** References of entities. */
      refs: readonly string[];
    }
  | { id: 'type' | 'lifecycle' | 'reference'; text: string }
  | { id: 'tags'; tags: readonly string[] }
  | { id: 'targets'; targets: readonly { text: string; href?: string }[] };

/** Returns the facts about an entity that its kind has and its descriptor states. */
export function aboutFacts(entity: Entity): AboutFact[] {
  const { metadata, spec = {} } = entity;
  const kind = entity.kind.toLocaleLowerCase('en');
  const isOwner = kind === 'user' || kind === 'group';
  const refsTo = (relation: string, targetKind?: string) =>
    relatedRefs(entity, relation, { kind: targetKind });
  const links = (
    id: Extract<AboutFact, { refs: readonly string[] }>['id'],
    refs: readonly string[],
  ): AboutFact[] => (refs.length > 0 ? [{ id, refs }] : []);
  const text = (
    id: 'type' | 'lifecycle',
    value: unknown = spec[id],
  ): AboutFact[] => (typeof value === 'string' ? [{ id, text: value }] : []);
  const { email } = (spec.profile ?? {}) as { email?: unknown };
  const targets = kind === 'location' ? targetsOf(entity) : [];
  return [
    ...(isOwner && typeof email === 'string'
      ? [{ id: 'email' as const, email }]
      : []),
    // Included even if empty: users should see that nobody owns the entity.
    ...(isOwner
      ? []
      : [{ id: 'owner' as const, refs: refsTo(RELATION_OWNED_BY) }]),
    ...links('domain', refsTo(RELATION_PART_OF, 'domain')),
    ...links('system', refsTo(RELATION_PART_OF, 'system')),
    ...links('partOf', refsTo(RELATION_PART_OF, 'component')),
    ...links('memberOf', refsTo(RELATION_MEMBER_OF)),
    ...links('parent', refsTo(RELATION_CHILD_OF, 'group')),
    ...links('children', refsTo(RELATION_PARENT_OF, 'group')),
    ...text('type'),
    ...text('lifecycle'),
    ...(metadata.tags?.length
      ? [{ id: 'tags' as const, tags: metadata.tags }]
      : []),
    ...(targets.length > 0 ? [{ id: 'targets' as const, targets }] : []),
    { id: 'reference', text: stringifyEntityRef(entity) },
  ];
}

/** Returns the targets of a location, each with an address if the browser can open it. */
function targetsOf(entity: Entity): { text: string; href?: string }[] {
  const { target, targets = target === undefined ? [] : [target] } =
    entity.spec ?? {};
  return (Array.isArray(targets) ? targets : []).map(String).map(text => {
    const href = addressOf(text, entity);
    return href === undefined ? { text } : { text, href };
  });
}

/** Returns the web address of a target, which may be relative to the entity's source. */
function addressOf(target: string, entity: Entity): string | undefined {
  try {
    const base = target.includes('://')
      ? undefined
      : getEntitySourceLocation(entity).target;
    const { protocol, href } = new URL(target, base);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    // Neither an address nor a source to start from.
    return undefined;
  }
}
