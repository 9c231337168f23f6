import { AppRootElementBlueprint } from '@backstage/frontend-plugin-api';
import { renderTestApp } from '@backstage/frontend-test-utils';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { QueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { eventsApiRef } from '../api/EventsApi';
import { analyticsQueryClientApiRef } from '../api/queryClientApi';
import { analyticsPlugin } from '../plugin';
import type { FakeEventsApi } from './FakeEventsApi';

function AddressProbe() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

const addressProbe = AppRootElementBlueprint.make({
  name: 'address',
  params: { element: <AddressProbe /> },
});

/** Where the app is: path and query. */
function address(): string {
  return screen.getByTestId('address').textContent ?? '';
}

/** Renders an app that consists of the plugin, at an address, on a fake service. */
export function renderPlugin(options: { api: FakeEventsApi; path: string }) {
  renderTestApp({
    features: [analyticsPlugin],
    extensions: [addressProbe],
    initialRouteEntries: [options.path],
    apis: [
      [eventsApiRef, options.api],
      // Failures are told at once: that they are tried again is not what is tested.
      [
        analyticsQueryClientApiRef,
        new QueryClient({ defaultOptions: { queries: { retry: false } } }),
      ],
    ],
  });
  return { user: userEvent.setup(), address };
}
