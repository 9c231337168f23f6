import {
  type AnalyticsApi,
  analyticsApiRef,
} from '@backstage/frontend-plugin-api';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { type PortalFlagsApi, portalFlagsApiRef } from '@slipway/app-react';
import { renderPages } from '@slipway/test-pages';
import { flagsApiRef } from '../api/FlagsApi';
import plugin from '../plugin';
import { fakeCatalog } from './fakeCatalog';
import type { FakeFlagsApi } from './FakeFlagsApi';

/**
 * Renders an app that consists of the plugin, at a path, with a fake service.
 *
 * @param options.flags - states of the portal's own flags; others have their fallback.
 */
export function renderPlugin(options: {
  api: FakeFlagsApi;
  path: string;
  flags?: Readonly<Record<string, boolean>>;
  analytics?: AnalyticsApi;
}) {
  const portalFlags: PortalFlagsApi = {
    get: name => options.flags?.[name],
    follow: () => () => {},
  };
  return renderPages({
    features: [plugin],
    path: options.path,
    apis: [
      [flagsApiRef, options.api],
      [portalFlagsApiRef, portalFlags],
      [catalogApiRef, fakeCatalog],
      [analyticsApiRef, options.analytics ?? { captureEvent: () => {} }],
    ],
  });
}
