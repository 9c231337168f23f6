import type { ScopesResponse } from '@slipway/plugin-delivery-lake-common';
import { type Scope, type ScopeKind, formatScope } from '../../data/scope';

/** A scope that can be chosen. */
export interface ScopeOption {
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
