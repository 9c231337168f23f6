import { renderInTestApp } from '@backstage/frontend-test-utils';
import { EntityProvider } from '@backstage/plugin-catalog-react';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import { FakeSpaceApi } from '../__testUtils__/FakeSpaceApi';
import { spaceApiRef } from '../api/SpaceApi';
import { servicePages } from '../queries';
import { EntityExperience } from './EntityExperience';

it.each([
  ['default', 'payments'],
  ['acme', 'acme/payments'],
])(
  'shows the numbers of a group in %s, and no other',
  async (namespace, team) => {
    const api = new FakeSpaceApi();
    renderInTestApp(
      <EntityProvider
        entity={{
          apiVersion: 'backstage.io/v1alpha1',
          kind: 'Group',
          metadata: { name: 'Payments', namespace },
        }}
      >
        <InPages pages={servicePages}>
          <EntityExperience />
        </InPages>
      </EntityProvider>,
      { apis: [[spaceApiRef, api], failAtOnce] },
    );
    expect(
      await screen.findByRole('region', { name: 'Satisfaction' }),
    ).toBeInTheDocument();
    expect(
      screen.queryByRole('combobox', { name: 'Team' }),
    ).not.toBeInTheDocument();
    await waitFor(() => expect(api.asked.length).toBeGreaterThan(0));
    expect(new Set(api.asked.map(({ query }) => query.team))).toEqual(
      new Set([team]),
    );
  },
);
