// Exported by a pattern, because Backstage's builds would inline an explicitly exported file.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import '@slipway/design-system/styles.css';
import { createDevApp } from '@backstage/frontend-dev-utils';
import {
  ApiBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import {
  type CatalogApi,
  catalogApiRef,
} from '@backstage/plugin-catalog-react';
import { fakeCatalog } from '../src/__testUtils__/fakeCatalog';
import { flagsApiRef } from '../src/api/FlagsApi';
import plugin from '../src/plugin';
import { createSampleApi } from './sampleFlags';

const recordedData = createFrontendModule({
  pluginId: 'feature-flags',
  extensions: [
    ApiBlueprint.make({
      name: 'catalog',
      params: define =>
        define({
          api: catalogApiRef,
          deps: {},
          factory: () => fakeCatalog as CatalogApi,
        }),
    }),
    ApiBlueprint.make({
      name: 'client',
      params: define =>
        define({
          api: flagsApiRef,
          deps: {},
          factory: () => createSampleApi(),
        }),
    }),
  ],
});

createDevApp({ features: [plugin, recordedData] });
