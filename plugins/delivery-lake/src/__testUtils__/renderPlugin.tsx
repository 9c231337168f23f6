import { mockApis } from '@backstage/frontend-test-utils';
import { renderPages } from '@slipway/test-pages';
import { deliveryLakeApiRef } from '../api/DeliveryLakeApi';
import plugin from '../plugin';
import type { FakeDeliveryLakeApi } from './FakeDeliveryLakeApi';

/** Renders an app with only this plugin, at an address, with a fake backend. */
export function renderPlugin(options: {
  api: FakeDeliveryLakeApi;
  path: string;
  config?: object;
}) {
  return renderPages({
    features: [plugin],
    path: options.path,
    config: options.config as never,
    apis: [[deliveryLakeApiRef, options.api], mockApis.permission()],
  });
}
