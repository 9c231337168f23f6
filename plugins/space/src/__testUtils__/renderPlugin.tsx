import type { ExtensionDefinition } from '@backstage/frontend-plugin-api';
import { mockApis } from '@backstage/frontend-test-utils';
import { entityPresentationApiRef } from '@backstage/plugin-catalog-react';
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
  /** The titles of entities, by reference; without them, the catalog has none. */
  titles?: Readonly<Record<string, string>>;
}) {
  const { titles } = options;
  return renderPages({
    features: [plugin],
    extensions: options.extensions,
    path: options.path,
    apis: [
      [spaceApiRef, options.api],
      ...(titles
        ? [
            [
              entityPresentationApiRef,
              {
                forEntity: (ref: string) => ({
                  promise: Promise.resolve({ primaryTitle: titles[ref] }),
                }),
              } as never,
            ] as const,
          ]
        : []),
      mockApis.identity({
        userEntityRef: 'user:default/grace',
        ownershipEntityRefs: ['user:default/grace', 'group:default/payments'],
      }),
    ],
  });
}
