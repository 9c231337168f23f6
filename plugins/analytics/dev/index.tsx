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
import { FakeEventsApi } from '../src/__testUtils__/FakeEventsApi';
import { eventsApiRef } from '../src/api/EventsApi';
import { analyticsPlugin } from '../src/plugin';

const madeUpData = createFrontendModule({
  pluginId: 'analytics',
  extensions: [
    ApiBlueprint.make({
      name: 'client',
      params: define =>
        define({
          api: eventsApiRef,
          deps: {},
          factory: () => new FakeEventsApi(),
        }),
    }),
  ],
});

createDevApp({ features: [analyticsPlugin, madeUpData] });
