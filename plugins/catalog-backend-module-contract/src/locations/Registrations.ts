import { AuthService } from '@backstage/backend-plugin-api';
import {
  ANNOTATION_ORIGIN_LOCATION,
  Entity,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { ConflictError, InputError } from '@backstage/errors';
import {
  CatalogService,
  LocationSpec,
  locationSpecToMetadataName,
} from '@backstage/plugin-catalog-node';
import { DatabaseEntityClaims } from '../claims/DatabaseEntityClaims';
import { Descriptor } from './DescriptorReader';
import { FileTargets } from './FileTargets';
import { LocationRequest } from './schemas';

/** Dependencies of {@link Registrations}. */
interface RegistrationsOptions {
  auth: AuthService;
  catalog: CatalogService;
  claims: DatabaseEntityClaims;
  files: FileTargets;
}

/**
 * Ensures that only one location provides an entity: the first. The catalog itself would accept a second
 * location, but never show its entities.
 */
export class Registrations {
  readonly #options: RegistrationsOptions;

  constructor(options: RegistrationsOptions) {
    this.#options = options;
  }

  /**
   * Checks that neither a location nor any of its entities is already in the catalog.
   *
   * @param options.former - the previous target of the same location.
   * @throws ConflictError if the location or one of its entities is already registered.
   * @throws InputError if the descriptor contains no entity.
   */
  async assertNew(
    location: LocationRequest,
    { entities, exists }: Descriptor,
    { former }: { former?: LocationSpec } = {},
  ): Promise<void> {
    const allowed = [location, ...(former ? [former] : [])].map(refOf);
    if (exists && !(former && refOf(former) === refOf(location))) {
      throw this.#registeredAlready(location);
    }
    const refs = describedBy(location, entities).map(entity =>
      stringifyEntityRef(entity),
    );
    if (refs.length === 0) {
      throw new InputError('The descriptor is empty: it contains no entity');
    }
    const { items } = await this.#options.catalog.getEntitiesByRefs(
      {
        entityRefs: refs,
        fields: [
          'kind',
          'metadata.name',
          'metadata.namespace',
          'metadata.annotations',
        ],
      },
      { credentials: await this.#options.auth.getOwnServiceCredentials() },
    );
    for (const [index, entity] of items.entries()) {
      const origin = entity?.metadata.annotations?.[ANNOTATION_ORIGIN_LOCATION];
      if (entity && !(origin && allowed.includes(origin))) {
        throw this.#broughtAlready(refs[index], origin);
      }
    }
  }

  /**
   * Checks like {@link assertNew} and claims the entities, to detect conflicts with concurrent
   * registrations and with those that the catalog has not read yet.
   *
   * @returns a function to call if the catalog then rejects the location, which removes these claims and
   * restores those of the previous target.
   */
  async accept(
    location: LocationRequest,
    descriptor: Descriptor,
    options: { former?: LocationSpec } = {},
  ): Promise<() => Promise<void>> {
    await this.assertNew(location, descriptor, options);
    const former = options.former && refOf(options.former);
    const formerRefs = former ? await this.#options.claims.of(former) : [];
    // Includes the entity that represents the location itself, which is always unique.
    const refs = descriptor.entities.map(entity => stringifyEntityRef(entity));
    const other = await this.#options.claims.claim(refOf(location), refs, {
      instead: former,
    });
    if (other) {
      throw other.location === refOf(location)
        ? this.#registeredAlready(location)
        : this.#broughtAlready(other.entityRef, other.location);
    }
    return async () => {
      await this.abandon(location);
      if (former) {
        await this.#options.claims.claim(former, formerRefs);
      }
    };
  }

  /** Releases the entities of a removed location. */
  async abandon(location: LocationSpec): Promise<void> {
    await this.#options.claims.release(refOf(location));
  }

  #registeredAlready({ target }: LocationRequest): ConflictError {
    return new ConflictError(
      `${this.#options.files.shorten(target)} is already registered`,
    );
  }

  #broughtAlready(entityRef: string, origin: string | undefined) {
    return new ConflictError(
      `${entityRef} is already registered${
        origin ? `, from ${this.#options.files.shortenRef(origin)}` : ''
      }`,
    );
  }
}

function refOf({ type, target }: LocationSpec): string {
  return `${type}:${target}`;
}

/**
 * Returns the entities of the descriptor, without the one that the catalog creates for the
 * location itself.
 */
function describedBy(location: LocationRequest, entities: Entity[]): Entity[] {
  const generated = locationSpecToMetadataName(location);
  return entities.filter(
    ({ kind, metadata }) => kind !== 'Location' || metadata.name !== generated,
  );
}
