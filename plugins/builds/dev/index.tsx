// Exported by a pattern, because Backstage's builds would inline an explicitly exported file.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import '@slipway/design-system/styles.css';
import { createDevApp } from '@backstage/frontend-dev-utils';
import {
  ApiBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import { buildsApiRef } from '../src/api/BuildsApi';
import plugin from '../src/plugin';
import { sampleBuilds } from './sampleBuilds';

const api = sampleBuilds();
api.approvals.set('payments-api #15', [
  {
    step: 'Approve',
    message: 'Deploy to production?',
    state: 'waiting',
    openedAt: Date.now() - 300_000,
    by: ['group:default/payments'],
    inputs: [],
    expired: false,
    decidable: true,
    decidedBy: null,
    decidedAt: null,
    comment: null,
    values: {},
  },
]);

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
