import type { LakeQuery } from '../api/DeliveryLakeApi';

/** What a page can be narrowed to. */
export const SCOPE_KINDS = ['team', 'project', 'service'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** A part of the lake; undefined stands for everything. */
export interface Scope {
  kind: ScopeKind;
  /** A name as the back end gives it, or an entity ref. */
  name: string;
}

/** The scope of a URL's `scope`, e.g. `team:payments`; what cannot be read is everything. */
export function parseScope(text: string): Scope | undefined {
  const colon = text.indexOf(':');
  const kind = SCOPE_KINDS.find(known => known === text.slice(0, colon));
  const name = text.slice(colon + 1);
  return kind && name ? { kind, name } : undefined;
}

/** The reverse of {@link parseScope}; everything is the empty text. */
export function formatScope(scope: Scope | undefined): string {
  return scope ? `${scope.kind}:${scope.name}` : '';
}

/** The parameters that narrow a request to a scope. */
export function scopeQuery(
  scope: Scope | undefined,
): Pick<LakeQuery, ScopeKind> {
  return scope ? { [scope.kind]: scope.name } : {};
}
