import { renderPages } from '@slipway/test-pages';
import { eventsApiRef } from '../api/EventsApi';
import { analyticsPlugin } from '../plugin';
import type { FakeEventsApi } from './FakeEventsApi';

/** Renders an app that consists of the plugin, at an address, on a fake service. */
export function renderPlugin(options: { api: FakeEventsApi; path: string }) {
  return renderPages({
    features: [analyticsPlugin],
    path: options.path,
    apis: [[eventsApiRef, options.api]],
  });
}
