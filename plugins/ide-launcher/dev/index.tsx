// Exported by a pattern, because Backstage's builds would inline an explicitly exported file.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import '@slipway/design-system/styles.css';
import {
  ApiBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import { createDevApp } from '@backstage/frontend-dev-utils';
import { ideLauncherApiRef } from '../src/api/IdeLauncherApi';
import plugin from '../src/plugin';
import { RecordedIdeLauncherApi } from './RecordedIdeLauncherApi';

const recordedData = createFrontendModule({
  pluginId: 'ide-launcher',
  extensions: [
    ApiBlueprint.make({
      name: 'client',
      params: define =>
        define({
          api: ideLauncherApiRef,
          deps: {},
          factory: () => new RecordedIdeLauncherApi(),
        }),
    }),
  ],
});

createDevApp({ features: [plugin, recordedData] });
