import { parseEntityRef } from '@backstage/catalog-model';
import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import type { BigInteger } from './BatchSql';

/** Finds the names under which the components of the catalog are deployed. */
export class DeployedNames {
  readonly #knex: Knex;
  readonly #directory: Pick<ServiceDirectory, 'find'>;

  constructor(options: {
    knex: Knex;
    directory: Pick<ServiceDirectory, 'find'>;
  }) {
    this.#knex = options.knex;
    this.#directory = options.directory;
  }

  /**
   * Returns the name under which a component was last deployed to production, so that its incidents
   * count for its deployments; the name of the component if it was not.
   *
   * @param names - names of the component in a tracker, the most specific first.
   * @returns undefined if the catalog knows none of them, or several components share the name.
   */
  async find(names: readonly string[]): Promise<string | undefined> {
    const found = names
      .map(name => this.#directory.find(name))
      .find(({ match }) => match !== 'unknown');
    if (found?.match !== 'known') {
      return undefined;
    }
    const { entityRef } = found.ownership;
    const services = await this.#knex('services as s')
      .where('s.entity_ref', entityRef)
      .orderBy('s.name')
      .select<{ name: string; deployed_at: BigInteger | null }[]>(
        's.name',
        this.#knex('deployments as d')
          .max('d.finished_at')
          .where('d.counted', 1)
          .whereColumn('d.service_id', 's.id')
          .as('deployed_at'),
      );
    const [last] = services
      .filter(({ deployed_at: at }) => at !== null)
      .toSorted((a, b) => Number(b.deployed_at) - Number(a.deployed_at));
    return last?.name ?? ownName(entityRef);
  }
}

/** Returns the short form of a component's entity ref, as pipelines report it. */
function ownName(entityRef: string): string {
  const { namespace, name } = parseEntityRef(entityRef);
  return namespace === 'default' ? name : `${namespace}/${name}`;
}
