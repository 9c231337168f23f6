import type { Entity } from '@backstage/catalog-model';
import {
  createFrontendModule,
  PageLayout as PageLayoutOfApp,
} from '@backstage/frontend-plugin-api';
import { SwappableComponentBlueprint } from '@backstage/plugin-app-react';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { refusal, renderPages } from '@slipway/test-pages';
import { screen, within } from '@testing-library/react';
import { entityPageModule } from '../entity/entityPageModule';
import { PageLayout } from './PageLayout';

const layout = createFrontendModule({
  pluginId: 'app',
  extensions: [
    SwappableComponentBlueprint.make({
      name: 'core-page-layout',
      params: define =>
        define({ component: PageLayoutOfApp, loader: () => PageLayout }),
    }),
  ],
});

const SHOP: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'shop', namespace: 'default', title: 'Web shop' },
  spec: {},
};

it('names the page of an entity after the entity, though its title cannot be read on its own', async () => {
  const catalog = catalogApiMock({ entities: [SHOP] });
  vi.spyOn(catalog, 'getEntitiesByRefs').mockRejectedValue(
    await refusal(503, 'The catalog is restarting'),
  );
  renderPages({
    path: '/catalog/default/component/shop',
    features: [catalogPlugin, entityPageModule, layout],
    apis: [[catalogApiRef, catalog]],
  });
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Web shop' }),
  ).toBeInTheDocument();
});

it('names the page of an entity after the entity, and leads back', async () => {
  renderPages({
    path: '/catalog/default/component/shop',
    features: [catalogPlugin, layout],
    apis: [[catalogApiRef, catalogApiMock({ entities: [SHOP] })]],
  });
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Web shop' }),
  ).toBeInTheDocument();
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  const breadcrumbs = within(
    screen.getByRole('navigation', { name: 'Breadcrumbs' }),
  );
  expect(breadcrumbs.getByRole('link', { name: 'Catalog' })).toHaveAttribute(
    'href',
    '/catalog',
  );
  const main = screen.getByRole('heading', { level: 1 }).closest('main, div');
  expect(main).not.toBeNull();
});
