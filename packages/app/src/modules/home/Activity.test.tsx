import { renderInTestApp } from '@backstage/frontend-test-utils';
import {
  entityPresentationApiRef,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import { failAtOnce } from '@slipway/test-pages';
import { screen, within } from '@testing-library/react';
import { Activity } from './Activity';
import { type ActivityAnswer, inboxApiRef } from './InboxApi';

const item = (
  kind: ActivityAnswer['items'][number]['kind'],
  title: string,
): ActivityAnswer['items'][number] => ({
  id: title,
  kind,
  title,
  at: '2026-11-20T12:00:00Z',
  page: `/${kind}`,
  by: 'user:default/ada',
  entityRef: 'component:default/shop',
});

function renderActivity(answer: Partial<ActivityAnswer>) {
  renderInTestApp(<Activity />, {
    apis: [
      [
        inboxApiRef,
        {
          read: () => Promise.reject(new Error('not used')),
          setAside: () => Promise.reject(new Error('not used')),
          activity: async () => ({ items: [], missing: [], ...answer }),
        },
      ],
      [
        entityPresentationApiRef,
        {
          forEntity: () => ({
            promise: Promise.resolve({ primaryTitle: 'Web shop' }),
          }),
        } as never,
      ],
      failAtOnce,
    ],
    mountedRoutes: { '/catalog/:namespace/:kind/:name': entityRouteRef },
  });
}

it('lists what happened, each with its page and component, and what is missing', async () => {
  renderActivity({
    items: [
      { ...item('build', 'shop #7'), state: 'Failed', tone: 'bad' },
      item('flag', 'stop-payouts turned on'),
    ],
    missing: ['Feedback'],
  });
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map(row => row.textContent)).toEqual([
    expect.stringMatching(/^Build: shop #7ProblemFailed.*ada/),
    expect.stringMatching(/^Flag: stop-payouts turned on/),
  ]);
  expect(
    within(rows[0]).getByRole('link', { name: 'shop #7' }),
  ).toHaveAttribute('href', '/build');
  expect(
    await within(rows[0]).findByRole('link', { name: 'Component: Web shop' }),
  ).toHaveAttribute('href', '/catalog/default/component/shop');
  expect(screen.getByText(/not responding: Feedback/)).toBeVisible();
});

it('says what will appear', async () => {
  renderActivity({});
  expect(
    await screen.findByText(/about what you own appear here/),
  ).toBeVisible();
});
