import {
  DEFAULT_NAMESPACE,
  Entity,
  parseEntityRef,
  RELATION_OWNED_BY,
  RELATION_PART_OF,
  stringifyEntityRef,
} from '@backstage/catalog-model';

/** The ref in the form in which refs are compared; undefined when it is none. */
export function normalizedRef(
  ref: string,
  context: { defaultKind: string; defaultNamespace?: string },
): string | undefined {
  try {
    return stringifyEntityRef(parseEntityRef(ref, context));
  } catch {
    return undefined;
  }
}

/**
 * The first of an entity's relations to a kind; where the catalog has not stitched
 * any relation of that type yet, what the entity says itself.
 */
function related(
  entity: Entity,
  options: {
    type: string;
    kind: 'Group' | 'System';
    field: 'owner' | 'system';
  },
): string | null {
  const { type, kind, field } = options;
  const prefix = `${kind.toLocaleLowerCase('en-US')}:`;
  const context = {
    defaultKind: kind,
    defaultNamespace: entity.metadata.namespace ?? DEFAULT_NAMESPACE,
  };
  const relations = (entity.relations ?? []).filter(it => it.type === type);
  const own = entity.spec?.[field];
  const refs =
    relations.length > 0 || typeof own !== 'string'
      ? relations.map(({ targetRef }) => targetRef)
      : [own];
  return (
    refs
      .map(ref => normalizedRef(ref, context))
      .find(ref => ref?.startsWith(prefix)) ?? null
  );
}

/** The group that owns a component; null when a person or nobody does. */
export function teamOf(component: Entity): string | null {
  return related(component, {
    type: RELATION_OWNED_BY,
    kind: 'Group',
    field: 'owner',
  });
}

/** The system that a component is part of. */
export function projectOf(component: Entity): string | null {
  return related(component, {
    type: RELATION_PART_OF,
    kind: 'System',
    field: 'system',
  });
}
