import { type Entity, stringifyEntityRef } from '@backstage/catalog-model';
import type { ScopesResponse } from '@slipway/plugin-delivery-lake-common';
import type { LakeQuery } from './api/DeliveryLakeApi';

/** The kinds of scope by which a page can be filtered. */
export const SCOPE_KINDS = ['team', 'project', 'service'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** A part of the lake; undefined means the whole lake. */
export interface Scope {
  kind: ScopeKind;
  /** A name as returned by the backend, or an entity ref. */
  name: string;
}

/**
 * The scope kinds of systems and groups, which cover their components; a component is a service.
 */
const KINDS: Readonly<Record<string, ScopeKind>> = {
  system: 'project',
  group: 'team',
};

/** Returns the scope of a component, system or group. */
export function scopeOf(entity: Entity): Scope {
  const kind = KINDS[entity.kind.toLocaleLowerCase('en-US')] ?? 'service';
  return { kind, name: stringifyEntityRef(entity) };
}

/** Parses the `scope` parameter of a URL, e.g. `team:payments`; an invalid one means the whole lake. */
export function parseScope(text: string): Scope | undefined {
  const colon = text.indexOf(':');
  const kind = SCOPE_KINDS.find(known => known === text.slice(0, colon));
  const name = text.slice(colon + 1);
  return kind && name ? { kind, name } : undefined;
}

/** The inverse of {@link parseScope}; the whole lake is an empty string. */
export function formatScope(scope: Scope | undefined): string {
  return scope ? `${scope.kind}:${scope.name}` : '';
}

/** Returns the request parameters for a scope. */
export function scopeQuery(
  scope: Scope | undefined,
): Pick<LakeQuery, ScopeKind> {
  return scope ? { [scope.kind]: scope.name } : {};
}

/** A scope to choose from. */
interface ScopeOption {
  /** The scope in the format of the URL. */
  id: string;
  label: string;
}

/** The maximum number of choices per kind in a list; the others can be found by typing. */
const MAX_PER_KIND = 20;

/** Returns the scopes with the typed text in their title or name, by kind. */
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

/** Returns the title of a scope; its name until the scopes are loaded. */
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
