import { AppRootElementBlueprint } from '@backstage/frontend-plugin-api';
import { mockApis, renderTestApp } from '@backstage/frontend-test-utils';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { QueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { feedbackApiRef } from '../api/FeedbackApi';
import { feedbackQueryClientApiRef } from '../api/queryClientApi';
import plugin from '../plugin';
import type { FakeFeedbackApi } from './FakeFeedbackApi';

function AddressProbe() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

const addressProbe = AppRootElementBlueprint.make({
  name: 'address',
  params: { element: <AddressProbe /> },
});

/**
 * Renders an app that consists of the plugin, at an address, on a fake service.
 *
 * @param options.element - beside what is routed, as what another plugin opens.
 */
export function renderPlugin(options: {
  api: FakeFeedbackApi;
  path: string;
  element?: JSX.Element;
}) {
  renderTestApp({
    features: [plugin],
    extensions: [
      addressProbe,
      AppRootElementBlueprint.make({
        name: 'beside',
        params: { element: options.element ?? <></> },
      }),
    ],
    initialRouteEntries: [options.path],
    apis: [
      [feedbackApiRef, options.api],
      // Failures are told at once: that they are tried again is not what is tested.
      [
        feedbackQueryClientApiRef,
        new QueryClient({ defaultOptions: { queries: { retry: false } } }),
      ],
      mockApis.identity({ userEntityRef: 'user:default/grace' }),
    ],
  });
  return {
    user: userEvent.setup(),
    /** Where the app is: path and query. */
    address: () => screen.getByTestId('address').textContent ?? '',
  };
}
