import { screen, within } from '@testing-library/react';
import { FakeEventsApi, ingestionOf } from '../__testUtils__/FakeEventsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const path = '/analytics/health';

it('shows how events arrive, and which are lost or deferred', async () => {
  const api = new FakeEventsApi();
  api.ingestion = ingestionOf({
    repaired: 3,
    deferred: 1_500,
    lag: { events: 250, oldestAt: new Date(Date.now() - 2_000).toISOString() },
    dropped: [
      {
        reason: 'no_distinct_id',
        events: 2,
        lastAt: new Date().toISOString(),
      },
    ],
    unknown: {
      keys: [
        {
          name: 'phc_…abcd',
          requests: 7,
          lastAt: new Date().toISOString(),
        },
      ],
      paths: [],
    },
  });
  renderPlugin({ api, path });
  const tile = (name: string) => screen.findByRole('group', { name });
  expect(await tile('Deferred by the limit')).toHaveTextContent('1,500');
  expect(await tile('Not yet in columns')).toHaveTextContent('250');
  expect(await tile('Received (24 h)')).toHaveTextContent('5,760');
  expect(
    screen.getByRole('grid', { name: 'Lost events (7 days)' }),
  ).toHaveTextContent('No user ID2');
  expect(
    screen.getByRole('region', { name: 'Events per minute' }),
  ).toBeVisible();
  expect(screen.getByRole('grid', { name: 'Unknown keys' })).toHaveTextContent(
    'phc_…abcd7',
  );
  expect(
    within(screen.getByRole('region', { name: 'Unknown paths' })).getByText(
      'None in 7 days.',
    ),
  ).toBeVisible();
});

it('reports that nothing arrived, and hides admin details', async () => {
  const api = new FakeEventsApi();
  api.ingestion = ingestionOf({ lastEventAt: null });
  renderPlugin({ api, path });
  expect(await screen.findByText('None in 7 days')).toBeVisible();
  expect(screen.getByText('No events were lost.')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Unknown keys' })).toBeNull();
});

it('says that it could not be loaded', async () => {
  const api = new FakeEventsApi();
  api.getIngestion = async () => {
    throw new Error('broken');
  };
  renderPlugin({ api, path });
  expect(
    await screen.findByText("Couldn't load ingestion health"),
  ).toBeVisible();
});
