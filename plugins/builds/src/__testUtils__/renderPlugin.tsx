import { renderPages } from '@slipway/test-pages';
import { buildsApiRef } from '../api/BuildsApi';
import plugin from '../plugin';
import type { FakeBuildsApi } from './FakeBuildsApi';

/** Renders an app with only this plugin, at an address, with a fake build server. */
export function renderPlugin(options: { api: FakeBuildsApi; path: string }) {
  return renderPages({
    features: [plugin],
    path: options.path,
    apis: [[buildsApiRef, options.api]],
  });
}
