import { renderInTestApp } from '@backstage/frontend-test-utils';
import { EntityProvider } from '@backstage/plugin-catalog-react';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen } from '@testing-library/react';
import { FakeEventsApi } from '../__testUtils__/FakeEventsApi';
import { FakeInsightsApi } from '../__testUtils__/FakeInsightsApi';
import { eventsApiRef } from '../api/EventsApi';
import { insightsApiRef } from '../api/InsightsApi';
import { servicePages } from '../queries';
import { EntityAnalytics } from './EntityAnalytics';

/** Renders the tab of a component that lists projects. */
function renderTab(projects: string) {
  renderInTestApp(
    <EntityProvider
      entity={{
        apiVersion: 'backstage.io/v1alpha1',
        kind: 'Component',
        metadata: {
          name: 'shop',
          annotations: { 'slipway.dev/analytics-project': projects },
        },
      }}
    >
      <InPages pages={servicePages}>
        <EntityAnalytics />
      </InPages>
    </EntityProvider>,
    {
      apis: [
        [eventsApiRef, new FakeEventsApi()],
        [insightsApiRef, new FakeInsightsApi()],
        failAtOnce,
      ],
    },
  );
}

it('shows the visitors of the project that the annotation names', async () => {
  renderTab('default, unknown');
  expect(
    await screen.findByRole('region', { name: 'Default' }),
  ).toBeInTheDocument();
  expect(
    await screen.findByRole('grid', { name: 'Pages' }),
  ).toBeInTheDocument();
  expect(
    screen.queryByRole('region', { name: 'unknown' }),
  ).not.toBeInTheDocument();
});

it('reports which project is hidden or missing', async () => {
  renderTab('secret');
  expect(await screen.findByText('No analytics to show')).toBeInTheDocument();
  expect(screen.getByText(/names secret/)).toBeInTheDocument();
});
