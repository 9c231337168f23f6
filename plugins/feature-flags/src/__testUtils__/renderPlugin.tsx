import { renderPages } from '@slipway/test-pages';
import { flagsApiRef } from '../api/FlagsApi';
import plugin from '../plugin';
import type { FakeFlagsApi } from './FakeFlagsApi';

/** Renders an app that consists of the plugin, at an address, on a fake service. */
export function renderPlugin(options: { api: FakeFlagsApi; path: string }) {
  return renderPages({
    features: [plugin],
    path: options.path,
    apis: [[flagsApiRef, options.api]],
  });
}
