import type { Entity } from '@backstage/catalog-model';

/** Describes what an entity is: "API · openapi", or only the kind if it has no type. */
export function describeKind({ kind, spec }: Entity): string {
  const type = spec?.type;
  return typeof type === 'string' ? `${kind} · ${type}` : kind;
}
