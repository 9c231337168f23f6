import { AppRootElementBlueprint } from '@backstage/frontend-plugin-api';
import { renderTestApp } from '@backstage/frontend-test-utils';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { deliveryLakeApiRef } from '../api/DeliveryLakeApi';
import plugin from '../plugin';
import type { FakeDeliveryLakeApi } from './FakeDeliveryLakeApi';

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

/** Renders an app that consists of the plugin, at an address, on a fake back end. */
export function renderPlugin(options: {
  api: FakeDeliveryLakeApi;
  path: string;
  config?: object;
}) {
  renderTestApp({
    features: [plugin],
    extensions: [addressProbe],
    initialRouteEntries: [options.path],
    config: options.config as never,
    apis: [[deliveryLakeApiRef, options.api]],
  });
  return { user: userEvent.setup(), address };
}
