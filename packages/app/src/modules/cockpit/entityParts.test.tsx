import { resolveAsyncFeatures } from '@backstage/frontend-defaults';
import {
  createFrontendPlugin,
  PageBlueprint,
  useApi,
} from '@backstage/frontend-plugin-api';
import { mockApis } from '@backstage/frontend-test-utils';
import { entityPartsApiRef } from '@slipway/app-react';
import analytics from '@slipway/plugin-analytics';
import builds from '@slipway/plugin-builds';
import deliveryLake from '@slipway/plugin-delivery-lake';
import featureFlags from '@slipway/plugin-feature-flags';
import feedback from '@slipway/plugin-feedback';
import ideLauncher from '@slipway/plugin-ide-launcher';
import space from '@slipway/plugin-space';
import { renderPages } from '@slipway/test-pages';
import { screen } from '@testing-library/react';
import { entityPartsModule } from './cockpitModule';

function Parts() {
  return (
    <ol>
      {useApi(entityPartsApiRef)
        .list()
        .map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
    </ol>
  );
}

const probe = createFrontendPlugin({
  pluginId: 'probe',
  extensions: [
    PageBlueprint.make({
      params: { path: '/probe', noHeader: true, loader: async () => <Parts /> },
    }),
  ],
});

it('has a part of every plugin, in the order of their cards', async () => {
  const { features } = await resolveAsyncFeatures({
    config: mockApis.config(),
    features: [
      analytics,
      space,
      feedback,
      ideLauncher,
      featureFlags,
      builds,
      deliveryLake,
    ],
  });
  renderPages({
    path: '/probe',
    features: [...features, entityPartsModule, probe],
  });
  const parts = await screen.findAllByRole('listitem');
  expect(parts.map(part => part.textContent)).toEqual([
    'Delivery',
    'Builds',
    'Flags',
    'Workspaces',
    'Feedback',
    'Experience',
    'Analytics',
  ]);
});
