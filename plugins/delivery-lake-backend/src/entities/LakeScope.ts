import { type EntityScope } from '@slipway/entity-contract';

/** Maximum number of a user's groups that are read. */
const MAX_TEAMS = 5;

/** The service, project or team that a query of the lake is limited to. */
export interface LakeScope {
  readonly kind: 'service' | 'project' | 'team';
  readonly name: string;
}

/** Returns the scopes of an entity: its own, or those of a user's groups. */
export function lakeScopesOf({ kind, ref, teams }: EntityScope): LakeScope[] {
  switch (kind) {
    case 'component':
      return [{ kind: 'service', name: ref }];
    case 'system':
      return [{ kind: 'project', name: ref }];
    case 'group':
      return [{ kind: 'team', name: ref }];
    default:
      return teams
        .slice(0, MAX_TEAMS)
        .map(name => ({ kind: 'team' as const, name }));
  }
}

/** Returns a scope as query parameters of the lake's API. */
export function queryOf({ kind, name }: LakeScope) {
  const of = (one: LakeScope['kind']) => (kind === one ? name : undefined);
  return {
    project: of('project'),
    team: of('team'),
    service: of('service'),
    environment: undefined,
  };
}

/** Returns a scope in the format that the plugin's pages expect in the query string. */
export function addressOf({ kind, name }: LakeScope): string {
  return `scope=${encodeURIComponent(`${kind}:${name}`)}`;
}

export function pageOfDeployment(
  { id }: { id: string },
  scope: LakeScope,
): string {
  return `/delivery/deployments/${encodeURIComponent(id)}?${addressOf(scope)}`;
}

export function pageOfIncident(
  { id }: { id: string },
  scope: LakeScope,
): string {
  return `/delivery/incidents/${encodeURIComponent(id)}?${addressOf(scope)}`;
}
