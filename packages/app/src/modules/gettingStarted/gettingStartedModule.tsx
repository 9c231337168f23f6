import {
  ApiBlueprint,
  createFrontendModule,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/frontend-plugin-api';
import { HomePageWidgetBlueprint } from '@backstage/plugin-home-react/alpha';
import { ServiceClient } from '@slipway/app-react';
import { Checks, checksApiRef } from './Checks';

const checksApi = ApiBlueprint.make({
  name: 'getting-started',
  params: defineParams =>
    defineParams({
      api: checksApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps =>
        new Checks({
          lake: new ServiceClient({ ...deps, pluginId: 'delivery-lake' }),
          workspaces: new ServiceClient({ ...deps, pluginId: 'ide-launcher' }),
          builds: new ServiceClient({ ...deps, path: '/build-server' }),
          flags: new ServiceClient({
            ...deps,
            path: '/feature-flags/api/admin',
          }),
          analytics: new ServiceClient({ ...deps, path: '/analytics/api' }),
        }),
    }),
});

const card = HomePageWidgetBlueprint.make({
  name: 'getting-started',
  params: {
    name: 'GettingStarted',
    components: () =>
      import(/* webpackChunkName: "home" */ './GettingStarted').then(m => ({
        Content: m.GettingStarted,
        Renderer: ({ Content }: { Content: () => JSX.Element }) => <Content />,
      })),
  },
});

/** Provides the API of the checklist as part of the app. */
export const checksModule = createFrontendModule({
  pluginId: 'app',
  extensions: [checksApi],
});

/** The card with the first steps on the home page. */
export const gettingStartedModule = createFrontendModule({
  pluginId: 'home',
  extensions: [card],
});
