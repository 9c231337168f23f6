import {
  DEFAULT_NAMESPACE,
  parseEntityRef,
  stringifyEntityRef,
} from '@backstage/catalog-model';

/** The kind of entity behind each kind of scope. */
const KIND = {
  team: 'group',
  project: 'system',
  service: 'component',
} as const;

/** What the metrics can be broken down by. */
export type ScopeKind = keyof typeof KIND;

/**
 * Entity ref of what a query calls `payments`, `group:payments` or
 * `group:default/payments`; undefined when it can be no entity's name.
 */
export function scopeRef(kind: ScopeKind, name: string): string | undefined {
  try {
    return stringifyEntityRef(
      parseEntityRef(name, {
        defaultKind: KIND[kind],
        defaultNamespace: DEFAULT_NAMESPACE,
      }),
    );
  } catch {
    return undefined;
  }
}

/** The shortest name that {@link scopeRef} makes the entity ref of again. */
export function scopeName(kind: ScopeKind, entityRef: string): string {
  const ref = parseEntityRef(entityRef);
  return ref.kind.toLocaleLowerCase('en-US') === KIND[kind] &&
    ref.namespace === DEFAULT_NAMESPACE
    ? ref.name
    : entityRef;
}
