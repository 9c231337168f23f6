import type { Entity } from '@backstage/catalog-model';
import {
  createFrontendModule,
  NotFoundErrorPage,
} from '@backstage/frontend-plugin-api';
import { SwappableComponentBlueprint } from '@backstage/plugin-app-react';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { renderPages } from '@slipway/test-pages';
import { screen } from '@testing-library/react';
import { weatherPlugin } from '../../testing/weatherPlugin';
import { NotFoundPage } from './NotFoundPage';

const notFound = createFrontendModule({
  pluginId: 'app',
  extensions: [
    SwappableComponentBlueprint.make({
      name: 'core-not-found-error-page',
      params: define =>
        define({ component: NotFoundErrorPage, loader: () => NotFoundPage }),
    }),
  ],
});

const SHOP: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'shop', namespace: 'default' },
};

const open = (path: string) =>
  renderPages({
    path,
    features: [catalogPlugin, notFound, ...weatherPlugin],
    apis: [[catalogApiRef, catalogApiMock({ entities: [SHOP] })]],
  });

it('is a page of its own at an address without a page', async () => {
  open('/nowhere');
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(
    'Page not found',
  );
  expect(screen.getByRole('link', { name: 'Go to home' })).toHaveAttribute(
    'href',
    '/',
  );
});

it('is a part of the page of an entity at an address without a tab', async () => {
  open('/catalog/default/component/shop/nowhere');
  expect(
    await screen.findByRole('heading', { level: 2, name: 'Page not found' }),
  ).toBeVisible();
  expect(
    screen.queryByRole('heading', { level: 1, name: 'Page not found' }),
  ).toBeNull();
  expect(screen.getAllByRole('main')).toHaveLength(1);
});
