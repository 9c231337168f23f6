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
   * Returns the name under which a component was last deployed to production before an incident, so
   * that the incident counts for that deployment, regardless of later deployments; otherwise the
   * name under which it was first deployed, or the name of the component.
   *
   * @param names - names of the component in a tracker, the most specific first.
   * @param startedAt - the start of the incident, in milliseconds.
   * @returns undefined if the catalog knows none of them, or several components share the name.
   */
  async find(
    names: readonly string[],
    startedAt: number,
  ): Promise<string | undefined> {
    const found = names
      .map(name => this.#directory.find(name))
      .find(({ match }) => match !== 'unknown');
    if (found?.match !== 'known') {
      return undefined;
    }
    const { entityRef } = found.ownership;
    const deployed = await this.#deployed(entityRef, startedAt);
    const [last] = deployed
      .filter(({ last_before: at }) => at !== null)
      .toSorted((a, b) => Number(b.last_before) - Number(a.last_before));
    const [first] = deployed.toSorted(
      (a, b) => Number(a.first) - Number(b.first),
    );
    return (last ?? first)?.name ?? ownName(entityRef);
  }

  /**
   * Finds the names under which a component was deployed to production, with its first deployment
   * and its last before the incident.
   */
  async #deployed(
    entityRef: string,
    startedAt: number,
  ): Promise<DeployedName[]> {
    // Matches the condition of a partial index, in which each moment is found with one lookup.
    const counted = () =>
      this.#knex('deployments as d').whereRaw(
        'd.counted = 1 AND d.service_id = s.id',
      );
    const services = await this.#knex('services as s')
      .where('s.entity_ref', entityRef)
      .orderBy('s.name')
      .select<DeployedName[]>(
        's.name',
        counted().min('d.finished_at').as('first'),
        counted()
          .where('d.finished_at', '<=', startedAt)
          .max('d.finished_at')
          .as('last_before'),
      );
    return services.filter(({ first }) => first !== null);
  }
}

/** A name of a component, and when it was deployed under it, in milliseconds; null if never. */
interface DeployedName {
  name: string;
  first: BigInteger | null;
  /** The last time before the incident. */
  last_before: BigInteger | null;
}

/** Returns the short form of a component's entity ref, as pipelines report it. */
function ownName(entityRef: string): string {
  const { namespace, name } = parseEntityRef(entityRef);
  return namespace === 'default' ? name : `${namespace}/${name}`;
}
