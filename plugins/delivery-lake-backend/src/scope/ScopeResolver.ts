import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { ServiceIds } from './LakeService';
import { scopeRef } from './scopeNames';
import { ServiceFilter, ServiceStore } from './ServiceStore';

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
  readonly #store: ServiceStore;
  readonly #directory: ServiceDirectory;

  constructor(options: { store: ServiceStore; directory: ServiceDirectory }) {
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
