import { AppRootElementBlueprint } from '@backstage/frontend-plugin-api';
import { mockApis, renderTestApp } from '@backstage/frontend-test-utils';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import { signalApiRef } from '@backstage/plugin-signals-react';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import plugin from '../plugin';
import type { FakeIdeLauncherApi } from './FakeIdeLauncherApi';
import { FakeSignalApi } from './FakeSignalApi';

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
  api: FakeIdeLauncherApi;
  path: string;
  /** Permissions that the user has; all of them by default. */
  permissions?: Parameters<typeof mockApis.permission>[0];
}) {
  const signals = new FakeSignalApi();
  renderTestApp({
    features: [plugin],
    extensions: [addressProbe],
    initialRouteEntries: [options.path],
    apis: [
      [ideLauncherApiRef, options.api],
      [signalApiRef, signals],
      [permissionApiRef, mockApis.permission(options.permissions)],
    ],
  });
  return { signals, user: userEvent.setup(), address };
}
