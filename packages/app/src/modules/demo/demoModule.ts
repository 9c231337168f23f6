import {
  ApiBlueprint,
  createFrontendModule,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import { ServiceClient } from '@slipway/app-react';
import { DemoApi, demoApiRef } from './DemoApi';

const demoApi = ApiBlueprint.make({
  name: 'demo',
  params: defineParams =>
    defineParams({
      api: demoApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps =>
        new DemoApi({
          memory: window.localStorage,
          client: new ServiceClient({ ...deps, pluginId: 'demo' }),
          reload: () => window.location.reload(),
        }),
    }),
});

/** Provides the state of the demo organisation. */
export const demoModule = createFrontendModule({
  pluginId: 'app',
  extensions: [demoApi],
});
