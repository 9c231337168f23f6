import type { ScopesResponse } from '@slipway/plugin-delivery-lake-common';
import type { LakeQuery } from './api/DeliveryLakeApi';

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

/** A scope that can be chosen. */
interface ScopeOption {
  /** The scope as written in the URL. */
  id: string;
  label: string;
}

/** The most choices of a kind that a list shows; the rest is found by typing. */
const MAX_PER_KIND = 20;

/** The scopes whose title or name holds what was typed, by kind. */
export function matchScopes(
  scopes: ScopesResponse,
  typed: string,
): Record<ScopeKind, ScopeOption[]> {
  const wanted = typed.trim().toLocaleLowerCase('en');
  const match = (
    kind: ScopeKind,
    candidates: readonly { name: string; title?: string }[],
  ) =>
    candidates
      .map(({ name, title = name }) => ({
        id: formatScope({ kind, name }),
        label: title,
        searched: `${title} ${name}`.toLocaleLowerCase('en'),
      }))
      .filter(({ searched }) => searched.includes(wanted))
      .slice(0, MAX_PER_KIND)
      .map(({ id, label }) => ({ id, label }));
  return {
    team: match('team', scopes.teams),
    project: match('project', scopes.projects),
    service: match('service', scopes.services),
  };
}

/** What a scope is called; its name until the scopes are known. */
export function titleOfScope(
  scopes: ScopesResponse | undefined,
  scope: Scope,
): string {
  if (scope.kind === 'service') {
    return scope.name;
  }
  const known = scope.kind === 'team' ? scopes?.teams : scopes?.projects;
  const found = known?.find(
    ({ name, entityRef }) => name === scope.name || entityRef === scope.name,
  );
  return found?.title ?? scope.name;
}
