import { AppRootElementBlueprint } from '@backstage/frontend-plugin-api';
import { mockApis } from '@backstage/frontend-test-utils';
import { renderPages } from '@slipway/test-pages';
import { feedbackApiRef } from '../api/FeedbackApi';
import plugin from '../plugin';
import type { FakeFeedbackApi } from './FakeFeedbackApi';

/**
 * Renders an app with only this plugin, at an address, with a fake service.
 *
 * @param options.config - configuration of the app; empty by default.
 * @param options.element - rendered in addition to the routes, e.g. an element that another plugin
 *   opens.
 */
export function renderPlugin(options: {
  api: FakeFeedbackApi;
  path: string;
  config?: Parameters<typeof renderPages>[0]['config'];
  element?: JSX.Element;
}) {
  return renderPages({
    features: [plugin],
    extensions: [
      AppRootElementBlueprint.make({
        name: 'beside',
        params: { element: options.element ?? <></> },
      }),
    ],
    path: options.path,
    config: options.config,
    apis: [
      [feedbackApiRef, options.api],
      mockApis.identity({ userEntityRef: 'user:default/grace' }),
    ],
  });
}
