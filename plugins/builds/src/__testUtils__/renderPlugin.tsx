import { renderPages } from '@slipway/test-pages';
import { buildsApiRef } from '../api/BuildsApi';
import plugin from '../plugin';
import type { FakeBuildsApi } from './FakeBuildsApi';

/** Renders an app that consists of the plugin, at an address, on a fake build server. */
export function renderPlugin(options: { api: FakeBuildsApi; path: string }) {
  return renderPages({
    features: [plugin],
    path: options.path,
    apis: [[buildsApiRef, options.api]],
  });
}
