import {
  type CompoundEntityRef,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import type { CatalogApi } from '@backstage/plugin-catalog-react';

/** How long a response counts as the current state of an entity. */
const SHARED_MS = 2_000;

/**
 * Makes callers that read the same entity within two seconds share one request, such as Backstage's
 * page of an entity and ours around it. Failures and missing entities are not kept, so that a retry
 * sends a new request.
 *
 * @param catalogApi - a client, whose method is replaced.
 */
export function shareEntityReads(catalogApi: CatalogApi): CatalogApi {
  const read = catalogApi.getEntityByRef.bind(catalogApi);
  const shared = new Map<string, ReturnType<typeof read>>();
  catalogApi.getEntityByRef = (entityRef, options) => {
    if (options) {
      return read(entityRef, options);
    }
    const key = keyOf(entityRef);
    let reading = shared.get(key);
    if (!reading) {
      reading = read(entityRef);
      shared.set(key, reading);
      const forget = () => shared.delete(key);
      reading.then(
        entity => (entity ? setTimeout(forget, SHARED_MS) : forget()),
        forget,
      );
    }
    return reading;
  };
  return catalogApi;
}

function keyOf(entityRef: string | CompoundEntityRef): string {
  return typeof entityRef === 'string'
    ? entityRef.toLocaleLowerCase('en-US')
    : stringifyEntityRef(entityRef);
}
