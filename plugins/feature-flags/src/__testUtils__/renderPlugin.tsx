import {
  type AnalyticsApi,
  analyticsApiRef,
} from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  entityPresentationApiRef,
} from '@backstage/plugin-catalog-react';
import { type PortalFlagsApi, portalFlagsApiRef } from '@slipway/app-react';
import { renderPages } from '@slipway/test-pages';
import { flagsApiRef } from '../api/FlagsApi';
import plugin from '../plugin';
import { fakeCatalog } from './fakeCatalog';
import type { FakeFlagsApi } from './FakeFlagsApi';

/**
 * Renders an app that consists of the plugin, at a path, with a fake service.
 *
 * @param options.titles - titles of entities by reference; other entities have none.
 * @param options.flags - states of the portal's own flags; others have their fallback.
 */
export function renderPlugin(options: {
  api: FakeFlagsApi;
  path: string;
  flags?: Readonly<Record<string, boolean>>;
  titles?: Readonly<Record<string, string>>;
  analytics?: AnalyticsApi;
}) {
  const portalFlags: PortalFlagsApi = {
    get: name => options.flags?.[name],
    follow: () => () => {},
  };
  const presentation = {
    forEntity: (ref: string) => ({
      promise: Promise.resolve({
        primaryTitle: options.titles?.[ref] ?? ref.replace(/^.*\//, ''),
      }),
    }),
  };
  return renderPages({
    features: [plugin],
    path: options.path,
    apis: [
      [flagsApiRef, options.api],
      [portalFlagsApiRef, portalFlags],
      [catalogApiRef, fakeCatalog],
      [entityPresentationApiRef, presentation as never],
      [analyticsApiRef, options.analytics ?? { captureEvent: () => {} }],
    ],
  });
}
