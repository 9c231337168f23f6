import { AuthService } from '@backstage/backend-plugin-api';
import {
  ANNOTATION_ORIGIN_LOCATION,
  Entity,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { ConflictError, InputError } from '@backstage/errors';
import {
  CatalogService,
  locationSpecToMetadataName,
} from '@backstage/plugin-catalog-node';
import { Descriptor } from './DescriptorReader';
import { LocationRequest } from './schemas';

/**
 * Keeps an entity with the location that brought it first. The catalog itself
 * would accept the second location, and never show what is in it.
 */
export class DuplicateCheck {
  readonly #auth: AuthService;
  readonly #catalog: CatalogService;

  constructor(options: { auth: AuthService; catalog: CatalogService }) {
    this.#auth = options.auth;
    this.#catalog = options.catalog;
  }

  /**
   * @throws ConflictError when the location or one of its entities is registered.
   * @throws InputError when there is nothing to register.
   */
  async assertNew(
    location: LocationRequest,
    { entities, exists }: Descriptor,
  ): Promise<void> {
    if (exists) {
      throw new ConflictError(`${location.target} is registered already`);
    }
    const refs = describedBy(location, entities).map(entity =>
      stringifyEntityRef(entity),
    );
    if (refs.length === 0) {
      throw new InputError('The descriptor is empty: it holds no entity');
    }
    const { items } = await this.#catalog.getEntitiesByRefs(
      {
        entityRefs: refs,
        fields: [
          'kind',
          'metadata.name',
          'metadata.namespace',
          'metadata.annotations',
        ],
      },
      { credentials: await this.#auth.getOwnServiceCredentials() },
    );
    const own = `${location.type}:${location.target}`;
    for (const [index, entity] of items.entries()) {
      const origin = entity?.metadata.annotations?.[ANNOTATION_ORIGIN_LOCATION];
      if (entity && origin !== own) {
        throw new ConflictError(
          `${refs[index]} is registered already${
            origin ? `, from ${origin}` : ''
          }`,
        );
      }
    }
  }
}

/** The entities of the descriptor, without the one that the catalog makes for the location itself. */
function describedBy(location: LocationRequest, entities: Entity[]): Entity[] {
  const generated = locationSpecToMetadataName(location);
  return entities.filter(
    ({ kind, metadata }) => kind !== 'Location' || metadata.name !== generated,
  );
}
