import type { Entity } from '@backstage/catalog-model';

/**
 * Returns the references of the entities to which an entity has a relation.
 *
 * @param options.kind - the kind of these entities, in lower case; any by default.
 */
export function relatedRefs(
  { relations = [] }: Pick<Entity, 'relations'>,
  relation: string,
  options: { kind?: string } = {},
): string[] {
  const start = options.kind ? `${options.kind}:` : '';
  return relations
    .filter(
      ({ type, targetRef }) => type === relation && targetRef.startsWith(start),
    )
    .map(({ targetRef }) => targetRef);
}
