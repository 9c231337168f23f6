import { renderInTestApp } from '@backstage/frontend-test-utils';
import { catalogApiRef, EntityProvider } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen, within } from '@testing-library/react';
import { createFakeFlagsApi } from '../__testUtils__/FakeFlagsApi';
import { flagsApiRef } from '../api/FlagsApi';
import { servicePages } from '../queries/flags';
import { rootRouteRef } from '../routes';
import { EntityFlags } from './EntityFlags';

const apiVersion = 'backstage.io/v1alpha1';

const component = (name: string, flags: string) => ({
  apiVersion,
  kind: 'Component',
  metadata: {
    name,
    namespace: 'default',
    annotations: { 'slipway.dev/flags': flags },
  },
  relations: [{ type: 'partOf', targetRef: 'system:default/market' }],
});

/** Renders the flags tab of a system with these components. */
function renderSystem(entities: ReturnType<typeof component>[]) {
  renderInTestApp(
    <EntityProvider
      entity={{ apiVersion, kind: 'System', metadata: { name: 'market' } }}
    >
      <InPages pages={servicePages}>
        <EntityFlags />
      </InPages>
    </EntityProvider>,
    {
      mountedRoutes: { '/flags': rootRouteRef },
      apis: [
        [flagsApiRef, createFakeFlagsApi()],
        [catalogApiRef, catalogApiMock({ entities })],
        failAtOnce,
      ],
    },
  );
}

it('lists the flags of all components of a system, with the components of each', async () => {
  renderSystem([component('web', 'check*'), component('till', 'checkout')]);
  const table = await screen.findByRole('grid', { name: 'Flags' });
  const [, ...rows] = within(table).getAllByRole('row');
  expect(rows).toHaveLength(1);
  expect(rows[0]).toHaveTextContent(/^checkout.*till, web/);
});

it('explains how the flags of a system get there', async () => {
  renderSystem([]);
  expect(await screen.findByText('No flags yet')).toBeVisible();
  expect(screen.getByText(/slipway.dev\/flags/)).toBeVisible();
});
