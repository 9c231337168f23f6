// Exported by a pattern, because Backstage's builds would inline an explicitly exported file.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import '@slipway/design-system/styles.css';
import { createDevApp } from '@backstage/frontend-dev-utils';
import {
  ApiBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import { cohortOf, FakeCohortsApi } from '../src/__testUtils__/FakeCohortsApi';
import {
  destinationOf,
  FakeDestinationsApi,
} from '../src/__testUtils__/FakeDestinationsApi';
import {
  definitionOf,
  FakeEventsApi,
} from '../src/__testUtils__/FakeEventsApi';
import { FakeInsightsApi } from '../src/__testUtils__/FakeInsightsApi';
import { FakePeopleApi } from '../src/__testUtils__/FakePeopleApi';
import { cohortsApiRef } from '../src/api/CohortsApi';
import { destinationsApiRef } from '../src/api/DestinationsApi';
import { eventsApiRef } from '../src/api/EventsApi';
import { insightsApiRef } from '../src/api/InsightsApi';
import { peopleApiRef } from '../src/api/PeopleApi';
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
          factory: () =>
            Object.assign(new FakeEventsApi(), {
              definitions: {
                event: ['signed up', 'bought'].map(name => definitionOf(name)),
                event_property: ['plan', 'price'].map(name =>
                  definitionOf(name, { property_type: 'String' }),
                ),
                person: [],
              },
            }),
        }),
    }),
    ApiBlueprint.make({
      name: 'insights-client',
      params: define =>
        define({
          api: insightsApiRef,
          deps: {},
          factory: () => new FakeInsightsApi(),
        }),
    }),
    ApiBlueprint.make({
      name: 'people-client',
      params: define =>
        define({
          api: peopleApiRef,
          deps: {},
          factory: () => new FakePeopleApi(),
        }),
    }),
    ApiBlueprint.make({
      name: 'cohorts-client',
      params: define =>
        define({
          api: cohortsApiRef,
          deps: {},
          factory: () =>
            new FakeCohortsApi([
              cohortOf(1, { name: 'Customers', description: 'Who pay' }),
              cohortOf(2, {
                name: 'Interviews',
                is_static: true,
                filters: undefined,
              }),
            ]),
        }),
    }),
    ApiBlueprint.make({
      name: 'destinations-client',
      params: define =>
        define({
          api: destinationsApiRef,
          deps: {},
          factory: () =>
            Object.assign(new FakeDestinationsApi(), {
              destinations: [destinationOf('crm')],
            }),
        }),
    }),
  ],
});

createDevApp({ features: [analyticsPlugin, madeUpData] });
