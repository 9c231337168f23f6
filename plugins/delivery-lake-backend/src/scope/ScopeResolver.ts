import {
  DEFAULT_NAMESPACE,
  parseEntityRef,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { Deriver } from '../derivation/Deriver';
import { DatabaseServiceStore, ServiceFilter } from '../storage/services';

/** Internal ids of the services that a question is about; `all` counts what nobody claims as well. */
export type ServiceIds = 'all' | number[];

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

/** What a query narrows its question to; several intersect. */
export interface ScopeQuery {
  /** Name or entity ref of a system. */
  project?: string;
  /** Name or entity ref of a group. */
  team?: string;
  /** What senders call a service, or name or entity ref of its component. */
  service?: string;
}

/** Finds the services that a query means. */
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

  /** `all` for a query that narrows nothing; an unknown name means no service. */
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
    if (Object.keys(filter).length === 0) {
      return 'all';
    }
    const services = await this.#store.list(filter);
    return services.map(service => service.id).sort((a, b) => a - b);
  }

  /** A component that several names report is one service, whichever is asked for. */
  #service(name: string): ServiceFilter['service'] {
    const found = this.#directory.find(name);
    return found.match === 'known'
      ? { name, entityRef: found.ownership.entityRef }
      : { name };
  }
}

/** Brings what is derived of a scope up to date before it is read. */
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
