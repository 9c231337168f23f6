// Exported by a pattern, as builds of Backstage would inline what is exported by its name.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import '@slipway/design-system/styles.css';
// Exported by a pattern, as builds of Backstage would inline what is exported by its name.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import { createDevApp } from '@backstage/frontend-dev-utils';
import {
  ApiBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import { FakeFlagsApi } from '../src/__testUtils__/FakeFlagsApi';
import { flagsApiRef } from '../src/api/FlagsApi';
import plugin from '../src/plugin';

const recordedData = createFrontendModule({
  pluginId: 'feature-flags',
  extensions: [
    ApiBlueprint.make({
      name: 'client',
      params: define =>
        define({
          api: flagsApiRef,
          deps: {},
          factory: () => new FakeFlagsApi(),
        }),
    }),
  ],
});

createDevApp({ features: [plugin, recordedData] });
