import { type Entity, stringifyEntityRef } from '@backstage/catalog-model';
import type { Scope, ScopeKind } from '../scope';

/** The scopes of systems and groups: what they contain or own. Components are services. */
const KINDS: Readonly<Record<string, ScopeKind>> = {
  system: 'project',
  group: 'team',
};

/** Returns the scope of a component, system or group. */
export function scopeOf(entity: Entity): Scope {
  const kind = KINDS[entity.kind.toLocaleLowerCase('en-US')] ?? 'service';
  return { kind, name: stringifyEntityRef(entity) };
}
