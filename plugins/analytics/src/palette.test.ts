import { CALL, openSource } from '@slipway/test-pages';
import { FakeEventsApi } from './__testUtils__/FakeEventsApi';
import { FakeInsightsApi } from './__testUtils__/FakeInsightsApi';
import { eventsApiRef } from './api/EventsApi';
import { insightsApiRef } from './api/InsightsApi';
import { analyticsPalette } from './palette';

it('finds the dashboards and saved insights of all projects', async () => {
  const insights = new FakeInsightsApi();
  await insights.createInsight('default', {
    name: 'Sign-ups',
    query: { kind: 'TrendsQuery', series: [] },
  });
  await insights.createDashboard('default', { name: 'Launch', tiles: [] });
  const source = openSource(analyticsPalette, [
    [eventsApiRef, new FakeEventsApi()],
    [insightsApiRef, insights],
  ]);
  const items = await source.list!(CALL);
  // The fake returns the same items for both projects.
  expect(
    items.map(({ title, kind, detail, act }) => [title, kind, detail, act]),
  ).toEqual(
    ['default', 'portal'].flatMap(project => {
      const detail = project === 'default' ? 'Default' : 'Slipway portal';
      const open = (href: string) => ({ type: 'open', href });
      return [
        [
          'Launch',
          'Dashboard',
          detail,
          open(`//dashboards?project=${project}&dashboard=d1`),
        ],
        [
          'Sign-ups',
          'Insight',
          detail,
          open(`//insights?project=${project}&insight=i1`),
        ],
      ];
    }),
  );
});
