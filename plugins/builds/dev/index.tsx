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
import {
  build,
  FakeBuildsApi,
  job,
  queueItem,
} from '../src/__testUtils__/FakeBuildsApi';
import { buildsApiRef } from '../src/api/BuildsApi';
import plugin from '../src/plugin';

const api = new FakeBuildsApi();
const builds = Array.from({ length: 12 }, (_, index) =>
  build(12 - index, {
    result: index % 5 === 3 ? 'FAILURE' : 'SUCCESS',
    elapsed: 20_000 + ((index * 7) % 5) * 9_000,
    timestamp: Date.now() - index * 5_400_000,
  }),
);
api.jobs = [job('payments-api', builds), job('shop')];
api.queue = [queueItem('payments-api', 13)];
builds.forEach(one => api.builds.set(`payments-api #${one.number}`, one));

createDevApp({
  features: [
    plugin,
    createFrontendModule({
      pluginId: 'builds',
      extensions: [
        ApiBlueprint.make({
          name: 'client',
          params: define =>
            define({ api: buildsApiRef, deps: {}, factory: () => api }),
        }),
      ],
    }),
  ],
});
