// Exported by a pattern, because Backstage's builds would inline an explicitly exported file.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import '@slipway/design-system/styles.css';
import {
  ApiBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import { createDevApp } from '@backstage/frontend-dev-utils';
import { deliveryLakeApiRef } from '../src/api/DeliveryLakeApi';
import plugin from '../src/plugin';
import { RecordedDeliveryLakeApi, isState } from './RecordedDeliveryLakeApi';

const asked = new URLSearchParams(window.location.search).get('state');
const state = isState(asked) ? asked : 'full';

const recordedData = createFrontendModule({
  pluginId: 'delivery-lake',
  extensions: [
    ApiBlueprint.make({
      name: 'client',
      params: define =>
        define({
          api: deliveryLakeApiRef,
          deps: {},
          factory: () => new RecordedDeliveryLakeApi(state),
        }),
    }),
  ],
});

createDevApp({ features: [plugin, recordedData] });
