import { stringifyEntityRef } from '@backstage/catalog-model';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { useServiceQuery } from '@slipway/app-react';

/** Maximum number of options; other owners can be entered as a reference. */
const MAX_OWNERS = 1_000;

/** Reads the entities that can own a project: groups, users, components and systems, as references. */
export function usePossibleOwners() {
  return useServiceQuery(catalogApiRef, ['possible-owners'], async api => {
    const { items } = await api.queryEntities({
      filter: { kind: ['group', 'user', 'system', 'component'] },
      fields: ['kind', 'metadata.name', 'metadata.namespace'],
      orderFields: [
        { field: 'kind', order: 'asc' },
        { field: 'metadata.name', order: 'asc' },
      ],
      limit: MAX_OWNERS,
    });
    return items.map(entity => stringifyEntityRef(entity));
  });
}
