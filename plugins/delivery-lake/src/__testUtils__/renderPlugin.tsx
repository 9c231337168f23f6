import { mockApis } from '@backstage/frontend-test-utils';
import { entityPresentationApiRef } from '@backstage/plugin-catalog-react';
import { renderPages } from '@slipway/test-pages';
import { deliveryLakeApiRef } from '../api/DeliveryLakeApi';
import plugin from '../plugin';
import type { FakeDeliveryLakeApi } from './FakeDeliveryLakeApi';

/** Renders an app with only this plugin, at an address, with a fake backend. */
export function renderPlugin(options: {
  api: FakeDeliveryLakeApi;
  path: string;
  config?: object;
  /** The titles of entities, by reference; without them, there is no catalog. */
  titles?: Readonly<Record<string, string>>;
}) {
  const { titles } = options;
  return renderPages({
    features: [plugin],
    path: options.path,
    config: options.config as never,
    apis: [
      [deliveryLakeApiRef, options.api],
      mockApis.permission(),
      ...(titles
        ? [
            [
              entityPresentationApiRef,
              {
                forEntity: (entityRef: string) => {
                  const snapshot = {
                    entityRef,
                    primaryTitle: titles[entityRef] ?? entityRef,
                  };
                  return { snapshot, promise: Promise.resolve(snapshot) };
                },
              } as never,
            ] as const,
          ]
        : []),
    ],
  });
}
