import type { Entity } from '@backstage/catalog-model';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import catalogGraphPlugin from '@backstage/plugin-catalog-graph/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { renderPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import { graphModule } from './graphModule';

const entity = (kind: string, name: string, title?: string): Entity => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind,
  metadata: { name, title, namespace: 'default' },
  spec: {},
});

// jsdom draws nothing, so nothing in it has a size.
Object.assign(SVGElement.prototype, {
  getBBox: () => ({ x: 0, y: 0, width: 80, height: 16 }),
});

const openGraph = (
  path = '/catalog-graph',
  api = catalogApiMock({
    entities: [
      entity('Component', 'shop', 'Web shop'),
      entity('API', 'payments'),
      entity('Group', 'team-a'),
    ],
  }),
) =>
  renderPages({
    path,
    features: [catalogPlugin, catalogGraphPlugin, graphModule],
    apis: [[catalogApiRef, api]],
  });

it('shows the graph from the selected entity', async () => {
  const { user, address } = openGraph();
  await screen.findByRole('heading', { level: 1, name: 'Catalog graph' });
  expect(await screen.findByRole('link', { name: 'payments' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'team-a' })).toBeNull();

  await user.type(screen.getByRole('searchbox'), 'sho');
  await waitFor(() =>
    expect(screen.queryByRole('link', { name: 'payments' })).toBeNull(),
  );
  await user.click(await screen.findByRole('link', { name: 'Web shop' }));
  // The controls of the graph itself.
  expect(await screen.findByRole('button', { name: /Distance/ })).toBeVisible();
  expect(new URLSearchParams(address().split('?')[1]).toString()).toContain(
    'component%3Adefault%2Fshop',
  );
  expect(screen.queryByRole('searchbox')).toBeNull();
});

it('says that nothing matches', async () => {
  const { user } = openGraph();
  await user.type(await screen.findByRole('searchbox'), 'nowhere');
  expect(await screen.findByText('No matching entities')).toBeVisible();
});

it('explains an empty catalog, with a link', async () => {
  openGraph('/catalog-graph?maxDepth=2', catalogApiMock({ entities: [] }));
  expect(await screen.findByText('Nothing in the catalog yet')).toBeVisible();
  expect(
    screen.getByRole('link', { name: 'Browse the catalog' }),
  ).toHaveAttribute('href', '/catalog');
});

it('shows an error if the catalog fails, and retries', async () => {
  const api = catalogApiMock({ entities: [entity('System', 'retail')] });
  vi.spyOn(api, 'queryEntities').mockRejectedValueOnce(new Error('down'));
  const { user } = openGraph('/catalog-graph', api);
  expect(await screen.findByText("Couldn't load entities")).toBeVisible();
  await user.click(screen.getByRole('button', { name: /Retry/ }));
  expect(await screen.findByRole('link', { name: 'retail' })).toBeVisible();
});

it('keeps the state of the graph in the URL', async () => {
  const { user, address } = openGraph(
    '/catalog-graph?rootEntityRefs[]=component:default/shop&maxDepth=2',
  );
  await user.click(await screen.findByRole('button', { name: /Distance/ }));
  await user.click(await screen.findByRole('option', { name: 'All steps' }));
  await user.click(screen.getByRole('button', { name: 'Kinds' }));
  await user.click(await screen.findByRole('option', { name: 'API' }));
  await user.keyboard('{Escape}');
  expect(decodeURIComponent(address().split('?')[1])).toBe(
    'rootEntityRefs[]=component:default/shop&maxDepth=∞&selectedKinds[]=api',
  );
});

it('continues from a selected entity, by mouse or keyboard', async () => {
  const { user, address } = openGraph(
    '/catalog-graph?rootEntityRefs[]=component:default/shop',
  );
  const node = await screen.findByRole('button', {
    name: 'Web shop, component',
  });
  node.focus();
  await user.keyboard('{Shift>}{Enter}{/Shift}');
  await waitFor(() =>
    expect(address()).toBe('/catalog/default/component/shop'),
  );
});

it('shows that the start entity no longer exists', async () => {
  openGraph('/catalog-graph?rootEntityRefs[]=component:default/gone');
  expect(await screen.findByText('Nothing to start from')).toBeVisible();
});
