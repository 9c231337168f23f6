// Exported by a pattern, because Backstage's builds would inline an explicitly exported file.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import '@slipway/design-system/styles.css';
import { createDevApp } from '@backstage/frontend-dev-utils';
import {
  ApiBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import { spaceApiRef } from '../src/api/SpaceApi';
import plugin from '../src/plugin';
import { RecordedSpaceApi } from './RecordedSpaceApi';

const recordedData = createFrontendModule({
  pluginId: 'space',
  extensions: [
    ApiBlueprint.make({
      name: 'client',
      params: define =>
        define({
          api: spaceApiRef,
          deps: {},
          factory: () => new RecordedSpaceApi(),
        }),
    }),
  ],
});

createDevApp({ features: [plugin, recordedData] });
