import type { CatalogApi } from '@backstage/plugin-catalog-react';

/** A catalog with the groups that can own projects. */
export const fakeCatalog: Pick<CatalogApi, 'queryEntities'> = {
  async queryEntities() {
    const items = ['payments', 'shop'].map(name => ({
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Group',
      metadata: { name, namespace: 'default' },
    }));
    return { items, totalItems: items.length, pageInfo: {} };
  },
};
