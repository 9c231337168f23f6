import type { Entity } from '@backstage/catalog-model';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { refusal, renderPages } from '@slipway/test-pages';
import { screen } from '@testing-library/react';
import { catalogListModule } from '../catalog/catalogListModule';
import { weatherPlugin } from '../../testing/weatherPlugin';
import { entityPageModule } from './entityPageModule';

const CART: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'cart', namespace: 'default', title: 'Cart' },
  spec: { type: 'service' },
};

function open(path: string, catalog = catalogApiMock({ entities: [CART] })) {
  return renderPages({
    path,
    features: [
      catalogPlugin,
      catalogListModule,
      entityPageModule,
      ...weatherPlugin,
    ],
    apis: [[catalogApiRef, catalog]],
  });
}

it('says that an entity is not in the catalog', async () => {
  open('/catalog/default/resource/nothing');
  expect(await screen.findByText('Not found in the catalog')).toBeVisible();
  expect(screen.getByText(/No resource has this name/)).toBeVisible();
});

it.each([
  ['component', /No component has this name: demo\/none\./, 'Component'],
  ['api', /No API has this name: demo\/none\./, 'API'],
])(
  'says which %s was not found, and leads back',
  async (kind, text, kindName) => {
    const { user, address } = open(`/catalog/demo/${kind}/none/weather`);
    expect(await screen.findByText(text)).toBeVisible();
    expect(
      screen.getByRole('heading', { level: 1, name: 'none' }),
    ).toBeVisible();
    expect(
      screen.getByText(`${kindName} in the namespace demo.`),
    ).toBeVisible();
    expect(
      screen.getByRole('link', { name: 'Register component' }),
    ).toHaveAttribute('href', '/catalog-import');
    await user.click(screen.getByRole('link', { name: 'View catalog' }));
    expect(address()).toMatch(/^\/catalog(?:\?|$)/);
  },
);

it('says why an entity failed to load, and shows it after a retry', async () => {
  const catalog = catalogApiMock({ entities: [CART] });
  const read = vi.spyOn(catalog, 'getEntityByRef');
  read.mockRejectedValue(await refusal(500, 'The catalog is restarting'));
  const { user } = open('/catalog/default/component/cart', catalog);
  expect(await screen.findByText("Couldn't load cart")).toBeVisible();
  expect(screen.getByText('The catalog is restarting')).toBeVisible();

  read.mockRestore();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Weather of cart')).toBeVisible();
  expect(screen.queryByText("Couldn't load cart")).toBeNull();
});

it("leaves the tabs of other plugins on Backstage's page", async () => {
  const { user } = open('/catalog/default/component/cart');
  await user.click(await screen.findByRole('link', { name: 'Weather' }));
  expect(await screen.findByText('A week of weather')).toBeVisible();
});

it('shows the titles of what an entity is part of, and of its owner', async () => {
  const system = (name: string): Entity => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'System',
    metadata: { name, namespace: 'demo', title: 'Checkout and payment' },
  });
  const group: Entity = {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Group',
    metadata: { name: 'sales', namespace: 'demo' },
    spec: { profile: { displayName: 'Sales team' } },
  };
  const cart: Entity = {
    ...CART,
    relations: [
      { type: 'partOf', targetRef: 'system:demo/checkout' },
      { type: 'ownedBy', targetRef: 'group:demo/sales' },
    ],
  };
  open(
    '/catalog/default/component/cart',
    catalogApiMock({ entities: [cart, system('checkout'), group] }),
  );
  expect(
    await screen.findByRole('link', { name: 'Checkout and payment' }),
  ).toHaveAttribute('href', '/catalog/demo/system/checkout');
  expect(
    await screen.findByRole('link', { name: /Sales team/ }),
  ).toHaveAttribute('href', '/catalog/demo/group/sales');
  expect(screen.queryByText('checkout')).toBeNull();
});
