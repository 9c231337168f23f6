import { renderTestApp } from '@backstage/frontend-test-utils';
import userEvent from '@testing-library/user-event';
import { QueryClient } from '@tanstack/react-query';
import { buildsApiRef } from '../api/BuildsApi';
import { buildsQueryClientApiRef } from '../api/queryClientApi';
import plugin from '../plugin';
import type { FakeBuildsApi } from './FakeBuildsApi';

/** Renders an app that consists of the plugin, at an address, on a fake build server. */
export function renderPlugin(options: { api: FakeBuildsApi; path: string }) {
  renderTestApp({
    features: [plugin],
    initialRouteEntries: [options.path],
    apis: [
      [buildsApiRef, options.api],
      // Failures are told at once: that they are tried again is not what is tested.
      [
        buildsQueryClientApiRef,
        new QueryClient({ defaultOptions: { queries: { retry: false } } }),
      ],
    ],
  });
  return { user: userEvent.setup() };
}
