import type { Knex } from 'knex';
import { LakeService } from './LakeService';
import { ServiceFilter, ServiceStore } from './ServiceStore';

/** Reads services from the lake's database. */
export class DatabaseServiceStore implements ServiceStore {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  async list(filter: ServiceFilter = {}): Promise<LakeService[]> {
    const query = this.#db('services')
      .select('id', 'name', { entityRef: 'entity_ref' }, 'team', 'project')
      .orderBy('name');
    if (filter.team !== undefined) {
      query.where({ team: filter.team });
    }
    if (filter.project !== undefined) {
      query.where({ project: filter.project });
    }
    const { service } = filter;
    if (service) {
      query.where(either => {
        either.where({ name: service.name });
        if (service.entityRef !== undefined) {
          either.orWhere({ entity_ref: service.entityRef });
        }
      });
    }
    return query;
  }
}
