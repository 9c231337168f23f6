import { NAMESPACE } from '../organisation/organisation';
import { entitiesOf } from './demoEntities';
import { type DemoPart, waitUntil } from './DemoPart';

/** Timeout for the catalog's background processing. */
const TIMEOUT_MS = 30_000;

/** People, teams, services, APIs and resources in the catalog. */
export const catalogPart: DemoPart = {
  id: 'catalog',
  title: 'Catalog',
  writes:
    '60 people, 12 teams, 12 systems, 80 components, 21 APIs and 23 resources in the namespace demo',

  async load({ platform, story, onProgress }) {
    const entities = entitiesOf(story);
    await platform.plugin('catalog', {
      method: 'PUT',
      path: `/collections/${NAMESPACE}`,
      body: { entities },
    });
    await waitUntil(async () => {
      const { totalItems } = await platform.plugin<{ totalItems: number }>(
        'catalog',
        {
          method: 'GET',
          path: `/entities/by-query?limit=0&filter=metadata.namespace=${NAMESPACE}`,
        },
      );
      const count = entities.length;
      onProgress(Math.min(totalItems, count), count);
      return totalItems >= count;
    }, TIMEOUT_MS);
  },

  async remove({ platform, onProgress }) {
    await platform.plugin('catalog', {
      method: 'DELETE',
      path: `/collections/${NAMESPACE}`,
      accepted: [404],
    });
    onProgress(1, 1);
  },
};
