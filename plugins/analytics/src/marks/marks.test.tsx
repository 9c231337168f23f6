import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { type EntityPartsApi, entityPartsApiRef } from '@slipway/app-react';
import { renderPages } from '@slipway/test-pages';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeEventsApi } from '../__testUtils__/FakeEventsApi';
import { FakeInsightsApi } from '../__testUtils__/FakeInsightsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import { eventsApiRef } from '../api/EventsApi';
import { insightsApiRef } from '../api/InsightsApi';
import { analyticsPlugin } from '../plugin';
import { marksIn } from './useMarks';

const path = '/analytics/insights';

it('shows annotations in charts, adds and deletes them', async () => {
  const insights = new FakeInsightsApi();
  const { user } = renderPlugin({ insights, path });
  await user.click(
    await screen.findByRole('button', { name: 'Add annotation' }),
  );
  const dialog = await screen.findByRole('dialog');
  const add = within(dialog).getByRole('button', { name: 'Add annotation' });
  await user.click(add);
  expect(await within(dialog).findByText('Enter what happened')).toBeVisible();
  await user.type(
    within(dialog).getByRole('textbox', { name: /What happened/ }),
    'Sale begins',
  );
  const date = within(dialog).getByLabelText(/Date and time/);
  await user.clear(date);
  await user.click(add);
  expect(date).toHaveAccessibleDescription('Enter a date and time');
  await user.type(date, '2026-11-21T09:00');
  await user.click(add);
  const remove = await screen.findByRole('button', {
    name: 'Delete Sale begins',
  });
  expect(
    await screen.findByRole('link', { name: /21 Nov 2026: .*Sale begins/ }),
  ).toBeInTheDocument();
  await user.click(remove);
  await waitFor(() => expect(insights.annotations).toEqual([]));
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'Annotations' })).toHaveFocus(),
  );
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(insights.annotations).toMatchObject([{ content: 'Sale begins' }]),
  );
});

it('marks the deployments and flag changes of the components that send events', async () => {
  const parts: Pick<EntityPartsApi, 'list' | 'timeline'> = {
    list: () => [
      {
        id: 'delivery',
        title: 'Delivery',
        icon: () => null,
        path: '',
        order: 1,
        kinds: ['deployment', 'incident'],
      },
    ],
    timeline: async (_part, ref) => ({
      truncated: false,
      items: [
        {
          id: '1',
          kind: 'deployment',
          at: '2026-11-20T12:00:00Z',
          title: `${ref} 1.4 to prod`,
          state: 'failed',
          neighbours: [],
        },
        {
          id: '2',
          kind: 'incident',
          at: '2026-11-20T12:00:00Z',
          title: 'Orders fail',
          neighbours: [],
        },
      ],
    }),
  };
  const named = (name: string, projects: string) => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name,
      annotations: { 'slipway.dev/analytics-project': projects },
    },
  });
  const catalog = {
    getEntities: async () => ({
      items: [named('shop', 'other, default'), named('docs', 'other')],
    }),
  };
  renderPages({
    features: [analyticsPlugin],
    path: `${path}?project=default`,
    apis: [
      [eventsApiRef, new FakeEventsApi()],
      [insightsApiRef, new FakeInsightsApi()],
      [entityPartsApiRef, parts as EntityPartsApi],
      [catalogApiRef, catalog as never],
    ],
  });
  const point = await screen.findByRole('link', {
    name: /20 Nov 2026: .*component:default.shop 1.4 to prod: failed/,
  });
  expect(point).not.toHaveAccessibleName(/Orders fail|docs/);
});

it('shows times in the time zone of the project', () => {
  const at = Date.UTC(2026, 10, 20, 23, 30);
  expect(marksIn('Europe/Zurich', [{ at, text: 'x' }])).toEqual([
    { at: '2026-11-21 00:30:00', text: 'x' },
  ]);
});
