import {
  DEFAULT_NAMESPACE,
  parseEntityRef,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { Deriver } from '../derivation/Deriver';
import { DatabaseServiceStore, ServiceFilter } from '../storage/services';

/** Internal ids of the services of a query; `all` includes services without a component. */
export type ServiceIds = 'all' | number[];

/** The entity kind of each kind of scope. */
const KIND = {
  team: 'group',
  project: 'system',
  service: 'component',
} as const;

/** The kinds of scope by which metrics can be broken down. */
export type ScopeKind = keyof typeof KIND;

/**
 * Returns the entity ref for `payments`, `group:payments` or `group:default/payments` in a
 * query; undefined if it is not a valid entity name.
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

/** Returns the shortest name for which {@link scopeRef} returns the entity ref. */
export function scopeName(kind: ScopeKind, entityRef: string): string {
  const ref = parseEntityRef(entityRef);
  return ref.kind.toLocaleLowerCase('en-US') === KIND[kind] &&
    ref.namespace === DEFAULT_NAMESPACE
    ? ref.name
    : entityRef;
}

/** The scope of a query; several filters intersect. */
export interface ScopeQuery {
  /** Name or entity ref of a system. */
  project?: string;
  /** Name or entity ref of a group. */
  team?: string;
  /** The senders' name of a service, or the name or entity ref of its component. */
  service?: string;
  /** Entity refs of components; only in queries by the plugin itself. */
  components?: readonly string[];
}

/** Finds the services of a query. */
export class ScopeResolver {
  readonly #store: DatabaseServiceStore;
  readonly #directory: ServiceDirectory;

  constructor(options: {
    store: DatabaseServiceStore;
    directory: ServiceDirectory;
  }) {
    this.#store = options.store;
    this.#directory = options.directory;
  }

  /** Returns `all` for a query without filters, and no services for an unknown name. */
  async resolve(query: ScopeQuery): Promise<ServiceIds> {
    const filter: ServiceFilter = {};
    for (const kind of ['team', 'project'] as const) {
      const name = query[kind];
      if (name !== undefined) {
        const ref = scopeRef(kind, name);
        if (ref === undefined) {
          return [];
        }
        filter[kind] = ref;
      }
    }
    if (query.service !== undefined) {
      filter.service = this.#service(query.service);
    }
    if (query.components !== undefined) {
      filter.components = query.components;
    }
    if (Object.keys(filter).length === 0) {
      return 'all';
    }
    const services = await this.#store.list(filter);
    return services.map(service => service.id).sort((a, b) => a - b);
  }

  /** Finds a service: all names of a component count as one service. */
  #service(name: string): ServiceFilter['service'] {
    const found = this.#directory.find(name);
    return found.match === 'known'
      ? { name, entityRef: found.ownership.entityRef }
      : { name };
  }
}

/** Derives pending data of a scope before it is read. */
export async function drainScope(
  deriver: Deriver,
  services: ServiceIds,
): Promise<void> {
  if (services === 'all') {
    await deriver.drain();
  } else if (services.length > 0) {
    await deriver.drain(services);
  }
}
