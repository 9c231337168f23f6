import { type EntityScope } from '@slipway/entity-contract';

/** The service, project or team that a query of the lake is limited to, or the components of a user. */
export type LakeScope =
  | { readonly kind: 'service' | 'project' | 'team'; readonly name: string }
  | { readonly kind: 'components'; readonly refs: readonly string[] };

/** A deployment or an incident. */
interface LakeRecord {
  id: string;
  /** Entity ref of its component. */
  entityRef: string | null;
}

/** Returns the scope in the lake that corresponds to an entity. */
export function lakeScopeOf({ kind, ref, components }: EntityScope): LakeScope {
  switch (kind) {
    case 'component':
      return { kind: 'service', name: ref };
    case 'system':
      return { kind: 'project', name: ref };
    case 'group':
      return { kind: 'team', name: ref };
    default:
      return { kind: 'components', refs: components.map(each => each.ref) };
  }
}

/** Returns a scope as a query of the lake. */
export function queryOf(scope: LakeScope) {
  const own = scope.kind === 'components' ? undefined : scope;
  const of = (kind: LakeScope['kind']) =>
    own?.kind === kind ? own.name : undefined;
  return {
    project: of('project'),
    team: of('team'),
    service: of('service'),
    components: scope.kind === 'components' ? scope.refs : undefined,
    environment: undefined,
  };
}

/**
 * Returns a scope in the format that the plugin's pages expect in the query string; for the components of a
 * user, that of the component of the record on the page, and nothing without a record.
 */
export function addressOf(
  scope: LakeScope,
  record?: Pick<LakeRecord, 'entityRef'>,
): string {
  const text =
    scope.kind === 'components'
      ? record?.entityRef && `service:${record.entityRef}`
      : `${scope.kind}:${scope.name}`;
  return text ? `scope=${encodeURIComponent(text)}` : '';
}

export function pageOfDeployment(record: LakeRecord, scope: LakeScope): string {
  const id = encodeURIComponent(record.id);
  return `/delivery/deployments/${id}?${addressOf(scope, record)}`;
}

export function pageOfIncident(record: LakeRecord, scope: LakeScope): string {
  const id = encodeURIComponent(record.id);
  return `/delivery/incidents/${id}?${addressOf(scope, record)}`;
}
