import type { ExtensionDefinition } from '@backstage/frontend-plugin-api';
import { mockApis } from '@backstage/frontend-test-utils';
import { renderPages } from '@slipway/test-pages';
import { spaceApiRef } from '../api/SpaceApi';
import plugin from '../plugin';
import type { FakeSpaceApi } from './FakeSpaceApi';

/**
 * Renders an app with only this plugin, at an address, with a fake service, for a member of
 * payments.
 */
export function renderPlugin(options: {
  api: FakeSpaceApi;
  path: string;
  /** Extensions in addition to those of the plugin. */
  extensions?: ExtensionDefinition[];
}) {
  return renderPages({
    features: [plugin],
    extensions: options.extensions,
    path: options.path,
    apis: [
      [spaceApiRef, options.api],
      mockApis.identity({
        userEntityRef: 'user:default/grace',
        ownershipEntityRefs: ['user:default/grace', 'group:default/payments'],
      }),
    ],
  });
}
