import { renderPages } from '@slipway/test-pages';
import { cohortsApiRef } from '../api/CohortsApi';
import { destinationsApiRef } from '../api/DestinationsApi';
import { eventsApiRef } from '../api/EventsApi';
import { insightsApiRef } from '../api/InsightsApi';
import { peopleApiRef } from '../api/PeopleApi';
import { analyticsPlugin } from '../plugin';
import { FakeCohortsApi } from './FakeCohortsApi';
import { FakeDestinationsApi } from './FakeDestinationsApi';
import { FakeEventsApi } from './FakeEventsApi';
import { FakeInsightsApi } from './FakeInsightsApi';
import { FakePeopleApi } from './FakePeopleApi';

/** Renders an app that consists only of the plugin, at an address, with a fake service. */
export function renderPlugin(options: {
  api?: FakeEventsApi;
  insights?: FakeInsightsApi;
  people?: FakePeopleApi;
  cohorts?: FakeCohortsApi;
  destinations?: FakeDestinationsApi;
  path: string;
}) {
  const {
    api = new FakeEventsApi(),
    insights = new FakeInsightsApi(),
    people = new FakePeopleApi(),
    cohorts = new FakeCohortsApi(),
    destinations = new FakeDestinationsApi(),
  } = options;
  return renderPages({
    features: [analyticsPlugin],
    path: options.path,
    apis: [
      [eventsApiRef, api],
      [insightsApiRef, insights],
      [peopleApiRef, people],
      [cohortsApiRef, cohorts],
      [destinationsApiRef, destinations],
    ],
  });
}
