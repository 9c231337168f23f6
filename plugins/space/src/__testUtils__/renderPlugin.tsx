import {
  AppRootElementBlueprint,
  type ExtensionDefinition,
} from '@backstage/frontend-plugin-api';
import { mockApis, renderTestApp } from '@backstage/frontend-test-utils';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { QueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { spaceQueryClientApiRef } from '../api/queryClientApi';
import { spaceApiRef } from '../api/SpaceApi';
import plugin from '../plugin';
import type { FakeSpaceApi } from './FakeSpaceApi';

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

/** Renders an app that consists of the plugin, at an address, on a fake service, for a member of payments. */
export function renderPlugin(options: {
  api: FakeSpaceApi;
  path: string;
  /** Beside those of the plugin. */
  extensions?: ExtensionDefinition[];
}) {
  renderTestApp({
    features: [plugin],
    extensions: [addressProbe, ...(options.extensions ?? [])],
    initialRouteEntries: [options.path],
    apis: [
      [spaceApiRef, options.api],
      // Failures are told at once: that they are tried again is not what is tested.
      [
        spaceQueryClientApiRef,
        new QueryClient({ defaultOptions: { queries: { retry: false } } }),
      ],
      mockApis.identity({
        userEntityRef: 'user:default/grace',
        ownershipEntityRefs: ['user:default/grace', 'group:default/payments'],
      }),
    ],
  });
  return { user: userEvent.setup(), address };
}
