import { byUrgency } from './byUrgency.ts';
import { type EntitySummary, MAX_NEEDS } from './contract.ts';
import { labelOf } from './figure.ts';

/** Thrown for a reference that does not name a component, system, group or user. */
export class InvalidEntityRefError extends Error {
  override readonly name = 'InvalidEntityRefError';
}

/** Thrown for an entity that is not in the catalog. */
export class EntityNotFoundError extends Error {
  override readonly name = 'EntityNotFoundError';
}

/** The members of a catalog entity that are used here. */
export interface CatalogEntity {
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    title?: string;
    annotations?: Record<string, string>;
  };
  relations?: { type: string; targetRef: string }[];
}

/** Reads the catalog. */
export interface CatalogReader {
  /** Finds an entity. @returns undefined if there is none. */
  entity(ref: EntityName): Promise<CatalogEntity | undefined>;
  /**
   * Lists components by name.
   *
   * @param relation - the type of relation that each must have to one of `targets`.
   */
  components(
    relation: 'ownedBy' | 'partOf',
    options: { targets: readonly string[]; limit: number },
  ): Promise<CatalogEntity[]>;
}

/** The parts of an entity reference, in lower case. */
interface EntityName {
  kind: string;
  namespace: string;
  name: string;
}

/** A component in the scope of a request. */
export interface ScopedComponent {
  readonly ref: string;
  readonly name: string;
  readonly title: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The scope of an entity: itself, or the components that it contains or owns. */
export interface EntityScope {
  readonly ref: string;
  readonly kind: 'component' | 'system' | 'group' | 'user';
  /** The components, sorted by name: at most a hundred, for a user a thousand. */
  readonly components: readonly ScopedComponent[];
  /** True if there are more components than are included. */
  readonly truncated: boolean;
  /**
   * Entity references of the groups that own the entity; for a group, itself; for a user, the
   * user's groups.
   */
  readonly teams: readonly string[];
}

/**
 * Returns the response of a summary request: a part's summary with its most urgent needs, with labels
 * short enough for inboxes, and whether needs or components were left out.
 */
export function summaryOf(
  { kind, truncated }: Pick<EntityScope, 'kind' | 'truncated'>,
  summary: EntitySummary,
): EntitySummary {
  const most = kind === 'user' ? MAX_NEEDS.user : MAX_NEEDS.other;
  const all = byUrgency(summary.needs);
  const needs = all.slice(0, most).map(({ title, detail, ...need }) => ({
    ...need,
    title: labelOf(title),
    ...(detail !== undefined && { detail: labelOf(detail) }),
  }));
  return {
    ...summary,
    needs,
    ...(all.length > most && { moreNeeds: true }),
    ...(truncated && { truncated }),
  };
}

/** Maximum number of components of a system or group: their pages show numbers about all of them. */
const MOST_COMPONENTS = 100;
/** Maximum number of components of a user, whose inbox should miss none. */
const MOST_OWN = 1_000;
/** Maximum number of owners per request: more would not fit into its URL. */
const OWNERS = 50;

const REF = /^([a-z]+):(?:([\w.-]{1,63})\/)?([\w.-]{1,63})$/;

/**
 * Resolves an entity reference to its scope.
 *
 * @param ref - e.g. `component:default/shop`; the namespace is optional.
 * @param options.groupsOf - returns the entity references of a user and the user's groups; throws
 *   if the caller may not read them.
 * @throws InvalidEntityRefError, EntityNotFoundError
 */
export async function resolveScope(
  ref: string,
  options: {
    catalog: CatalogReader;
    groupsOf: (user: string) => Promise<readonly string[]>;
  },
): Promise<EntityScope> {
  const { catalog, groupsOf } = options;
  const name = parseRef(ref);
  const whole = refOf(name);
  const own = (
    kind: EntityScope['kind'],
    components: readonly CatalogEntity[],
    teams: readonly string[],
  ): EntityScope => {
    const most = kind === 'user' ? MOST_OWN : MOST_COMPONENTS;
    return {
      ref: whole,
      kind,
      components: components.slice(0, most).map(scoped),
      truncated: components.length > most,
      teams,
    };
  };
  const list = (relation: 'ownedBy' | 'partOf', target: string) =>
    catalog.components(relation, {
      targets: [target],
      limit: MOST_COMPONENTS + 1,
    });
  if (name.kind === 'user') {
    const refs = await groupsOf(whole);
    const teams = refs.filter(each => each.startsWith('group:'));
    return own('user', await ownedBy(catalog, [whole, ...refs]), teams);
  }
  const entity = await catalog.entity(name);
  if (!entity) {
    throw new EntityNotFoundError(`Entity '${whole}' not found`);
  }
  switch (name.kind) {
    case 'component':
      return own('component', [entity], ownersOf(entity));
    case 'system':
      return own('system', await list('partOf', whole), ownersOf(entity));
    default:
      return own('group', await list('ownedBy', whole), [whole]);
  }
}

/** Lists the components of several owners by name, at most one more than {@link MOST_OWN}. */
async function ownedBy(
  catalog: CatalogReader,
  owners: readonly string[],
): Promise<CatalogEntity[]> {
  const limit = MOST_OWN + 1;
  const refs = [...new Set(owners)];
  const found = await Promise.all(
    Array.from({ length: Math.ceil(refs.length / OWNERS) }, (_, batch) => {
      const targets = refs.slice(batch * OWNERS, (batch + 1) * OWNERS);
      return catalog.components('ownedBy', { targets, limit });
    }),
  );
  const unique = new Map(
    found.flat().map(component => [scoped(component).ref, component]),
  );
  return [...unique.values()]
    .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
    .slice(0, limit);
}

/** Returns the sort key of a component: its name, then its namespace. */
function placeOf({ metadata }: CatalogEntity): string {
  const { name, namespace = 'default' } = metadata;
  return `${name} ${namespace}`.toLocaleLowerCase('en-US');
}

/** Returns the names in a comma-separated annotation of all components. */
export function namesIn(scope: EntityScope, annotation: string): string[] {
  return [
    ...new Set(
      scope.components.flatMap(component => namesOf(component, annotation)),
    ),
  ];
}

/**
 * Returns the reference of the only component whose annotation contains a name; undefined if there
 * is none, or if several have it, since the item is then about all of them.
 *
 * @param isIt - whether a name in the annotation is the one sought.
 */
export function componentNaming(
  scope: EntityScope,
  annotation: string,
  isIt: (name: string) => boolean,
): string | undefined {
  const naming = scope.components.filter(component =>
    namesOf(component, annotation).some(isIt),
  );
  return naming.length === 1 ? naming[0].ref : undefined;
}

function namesOf(
  { annotations }: ScopedComponent,
  annotation: string,
): string[] {
  return (annotations[annotation] ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);
}

function parseRef(ref: string): EntityName {
  const [, kind, namespace = 'default', name] =
    REF.exec(ref.toLocaleLowerCase('en-US')) ?? [];
  if (!['component', 'system', 'group', 'user'].includes(kind)) {
    throw new InvalidEntityRefError(
      'ref must be a component, system, group or user, e.g. component:default/shop',
    );
  }
  return { kind, namespace, name };
}

function refOf({ kind, namespace, name }: EntityName): string {
  return `${kind}:${namespace}/${name}`;
}

function scoped({ kind, metadata }: CatalogEntity): ScopedComponent {
  const { name, namespace = 'default', title, annotations = {} } = metadata;
  const ref = refOf({ kind, namespace, name }).toLocaleLowerCase('en-US');
  return { ref, name, title: title ?? name, annotations };
}

function ownersOf({ relations = [] }: CatalogEntity): string[] {
  return relations
    .filter(({ type }) => type === 'ownedBy')
    .map(({ targetRef }) => targetRef)
    .filter(ref => ref.startsWith('group:'));
}
