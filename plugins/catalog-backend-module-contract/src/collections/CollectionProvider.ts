import {
  ANNOTATION_LOCATION,
  ANNOTATION_ORIGIN_LOCATION,
  Entity,
} from '@backstage/catalog-model';
import { ServiceUnavailableError } from '@backstage/errors';
import {
  EntityProvider,
  EntityProviderConnection,
} from '@backstage/plugin-catalog-node';
import { CollectedEntity } from './schemas';

/**
 * Provides the catalog with the entities of one namespace that were sent last. The catalog stores them;
 * an empty collection removes them all.
 */
export class CollectionProvider implements EntityProvider {
  readonly #namespace: string;
  #connection?: EntityProviderConnection;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  getProviderName(): string {
    return `slipway-collection:${this.#namespace}`;
  }

  async connect(connection: EntityProviderConnection): Promise<void> {
    this.#connection = connection;
  }

  /** Replaces all entities of the collection. */
  async replace(entities: readonly CollectedEntity[]): Promise<void> {
    if (!this.#connection) {
      throw new ServiceUnavailableError('The catalog is still starting');
    }
    const location = `collection:${this.#namespace}`;
    await this.#connection.applyMutation({
      type: 'full',
      entities: entities.map(entity => ({
        locationKey: location,
        entity: this.#complete(entity, location),
      })),
    });
  }

  #complete(entity: CollectedEntity, location: string): Entity {
    const { metadata } = entity;
    return {
      ...entity,
      metadata: {
        ...metadata,
        namespace: this.#namespace,
        annotations: {
          ...metadata.annotations,
          [ANNOTATION_LOCATION]: location,
          [ANNOTATION_ORIGIN_LOCATION]: location,
        },
      },
    } as Entity;
  }
}
