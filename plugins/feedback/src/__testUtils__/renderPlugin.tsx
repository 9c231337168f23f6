import { AppRootElementBlueprint } from '@backstage/frontend-plugin-api';
import { mockApis } from '@backstage/frontend-test-utils';
import { renderPages } from '@slipway/test-pages';
import { feedbackApiRef } from '../api/FeedbackApi';
import plugin from '../plugin';
import type { FakeFeedbackApi } from './FakeFeedbackApi';

/**
 * Renders an app that consists of the plugin, at an address, on a fake service.
 *
 * @param options.config - of the app, beside none.
 * @param options.element - beside what is routed, as what another plugin opens.
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
