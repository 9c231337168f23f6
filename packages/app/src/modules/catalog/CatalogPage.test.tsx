import type { Entity } from '@backstage/catalog-model';
import apiDocsPlugin from '@backstage/plugin-api-docs/alpha';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import {
  catalogApiRef,
  MockStarredEntitiesApi,
  starredEntitiesApiRef,
} from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { renderPages } from '@slipway/test-pages';
import { screen, waitFor, within } from '@testing-library/react';
import { apiListModule, catalogListModule } from './catalogListModule';

const entity = (
  kind: string,
  name: string,
  owner = 'payments',
  tags: string[] = [],
): Entity => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind,
  metadata: {
    name,
    namespace: 'default',
    description: `About ${name}.`,
    tags,
    annotations: {
      'backstage.io/view-url':
        // eslint-disable-next-line no-script-url
        name === 'shop' ? 'javascript:alert(1)' : `https://forge.test/${name}`,
    },
  },
  spec: { type: 'service', lifecycle: 'production' },
  relations: [{ type: 'ownedBy', targetRef: `group:default/${owner}` }],
});

const api = () =>
  catalogApiMock({
    entities: [
      entity('Component', 'shop', 'web'),
      entity('Component', 'billing', 'payments', ['money']),
      entity('API', 'orders'),
    ],
  });

const open = (path: string, catalogApi = api()) =>
  renderPages({
    path,
    features: [catalogPlugin, apiDocsPlugin, catalogListModule, apiListModule],
    apis: [[catalogApiRef, catalogApi]],
  });

const link = (name: string) => screen.findByRole('link', { name });

it('lists components by default, and other kinds on request', async () => {
  const { user, address } = open('/catalog');
  expect(await link('shop')).toHaveAttribute(
    'href',
    '/catalog/default/component/shop',
  );
  expect(await link('billing')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'orders' })).toBeNull();
  await user.click(screen.getByRole('button', { name: /Kind/ }));
  await user.click(await screen.findByRole('option', { name: 'API' }));
  expect(await link('orders')).toBeVisible();
  expect(address()).toBe('/catalog?kind=api');
});

it.each(['', 'COMPONENT'])('lists components of the kind "%s"', async kind => {
  const { user } = open(`/catalog?kind=${kind}`);
  expect(await link('shop')).toBeVisible();
  await user.click(screen.getByRole('button', { name: /Kind/ }));
  expect(await screen.findAllByRole('option')).toHaveLength(2);
});

it('leaves the types of a kind with it, and keeps the kind when cleared', async () => {
  const { user, address } = open('/catalog?type=library&q=o');
  await user.click(await screen.findByRole('button', { name: /Kind/ }));
  await user.click(await screen.findByRole('option', { name: 'API' }));
  expect(await link('orders')).toBeVisible();
  expect(address()).toBe('/catalog?q=o&kind=api');
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  expect(address()).toBe('/catalog?kind=api');
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
});

it('applies the filters in the URL', async () => {
  open('/catalog?tag=money&q=ABOUT+bill');
  await link('billing');
  expect(screen.queryByRole('link', { name: 'shop' })).toBeNull();
  expect(screen.getByText('1 of 2 entities')).toBeVisible();
});

it('shows an empty state, and an error if the catalog fails', async () => {
  open('/catalog?q=nowhere');
  expect(await screen.findByText('No matching entities')).toBeVisible();
});

it('shows an error if the catalog fails, and retries', async () => {
  const failing = api();
  vi.spyOn(failing, 'streamEntities').mockImplementationOnce(() => {
    throw new Error('down');
  });
  const { user } = open('/catalog', failing);
  await screen.findByText("Couldn't load the catalog");
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await link('shop')).toBeVisible();
});

it('stars selected entities, and undoes that', async () => {
  const { user } = open('/catalog?show=starred');
  await screen.findByText('No matching entities');
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  const row = await screen.findByRole('row', { name: /billing/ });
  await user.click(within(row).getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Star' }));
  const star = () => screen.getByRole('button', { name: 'Star billing' });
  await waitFor(() => expect(star()).toHaveAttribute('aria-pressed', 'true'));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(star()).toHaveAttribute('aria-pressed', 'false'));
});

it('says that entities could not be starred', async () => {
  const stars = new MockStarredEntitiesApi();
  stars.toggleStarred = () => Promise.reject(new Error('down'));
  const { user } = renderPages({
    path: '/catalog',
    features: [catalogPlugin, catalogListModule],
    apis: [
      [catalogApiRef, api()],
      [starredEntitiesApiRef, stars],
    ],
  });
  const row = await screen.findByRole('row', { name: /billing/ });
  await user.click(within(row).getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Star' }));
  expect(
    await screen.findByText("Couldn't change the star of 1 entity"),
  ).toBeInTheDocument();
});

it('links only to sources with a web URL', async () => {
  open('/catalog');
  await link('shop');
  const sources = screen.getAllByRole('link', { name: /View source/ });
  expect(sources.map(source => source.getAttribute('href'))).toEqual([
    'https://forge.test/billing',
  ]);
});

it('saves named views', async () => {
  const { user, address } = open('/catalog?tag=money');
  await link('billing');
  await user.click(screen.getByRole('button', { name: 'Views' }));
  await user.click(
    await screen.findByRole('menuitem', { name: 'Save this view' }),
  );
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Name'), 'Money');
  await user.click(within(dialog).getByRole('button', { name: 'Save view' }));
  await screen.findByRole('button', { name: 'Money' });
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  expect(address()).toBe('/catalog');
  await user.click(screen.getByRole('button', { name: 'Views' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Money' }));
  expect(address()).toBe('/catalog?tag=money');
});

it('lists APIs alone on their page', async () => {
  open('/api-docs');
  expect(await link('orders')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('APIs');
  expect(screen.queryByRole('button', { name: /^Kind/ })).toBeNull();
});

it('names owners by their titles in the filter', async () => {
  const { user, address } = open(
    '/catalog',
    catalogApiMock({
      entities: [
        entity('Component', 'shop', 'web'),
        entity('Component', 'billing'),
        {
          apiVersion: 'backstage.io/v1alpha1',
          kind: 'Group',
          metadata: { name: 'web', namespace: 'default' },
          spec: { type: 'team', profile: { displayName: 'Storefront' } },
        },
      ],
    }),
  );
  await link('Storefront');
  await user.click(screen.getByRole('button', { name: /Owner/ }));
  await user.click(await screen.findByRole('option', { name: 'Storefront' }));
  await waitFor(() => expect(address()).toContain('web'));
  expect(screen.queryByRole('link', { name: 'billing' })).toBeNull();
});
