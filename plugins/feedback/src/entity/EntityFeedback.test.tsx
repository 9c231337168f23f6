import { renderInTestApp } from '@backstage/frontend-test-utils';
import { EntityProvider } from '@backstage/plugin-catalog-react';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen, within } from '@testing-library/react';
import { FakeFeedbackApi, feedback } from '../__testUtils__/FakeFeedbackApi';
import { feedbackApiRef } from '../api/FeedbackApi';
import { servicePages } from '../queries';
import { mineRouteRef, rootRouteRef, triageRouteRef } from '../routes';
import { EntityFeedback } from './EntityFeedback';

const SHOP = 'component:default/shop';

function renderTab(api: FakeFeedbackApi) {
  renderInTestApp(
    <EntityProvider
      entity={{
        apiVersion: 'backstage.io/v1alpha1',
        kind: 'Component',
        metadata: { name: 'shop' },
      }}
    >
      <InPages pages={servicePages}>
        <EntityFeedback />
      </InPages>
    </EntityProvider>,
    {
      mountedRoutes: {
        '/feedback': rootRouteRef,
        '/feedback/mine': mineRouteRef,
        '/feedback/triage': triageRouteRef,
      },
      apis: [[feedbackApiRef, api], failAtOnce],
    },
  );
}

it('lists all feedback about the component for triage', async () => {
  renderTab(
    new FakeFeedbackApi([
      feedback({ id: 'fb_1', message: 'The cart is slow', component: SHOP }),
      feedback({ id: 'fb_2', message: 'About something else' }),
    ]),
  );
  const list = await screen.findByRole('grid', {
    name: 'Feedback about this component',
  });
  expect(
    within(list).getByRole('link', { name: 'The cart is slow' }),
  ).toHaveAttribute('href', '/feedback/triage/fb_1');
  expect(
    within(list).queryByText('About something else'),
  ).not.toBeInTheDocument();
});

it('lists only their own feedback for other users, with an empty state', async () => {
  const api = new FakeFeedbackApi([
    feedback({ id: 'fb_1', message: 'The cart is slow', component: SHOP }),
  ]);
  api.options = { ...api.options, mayTriage: false };
  renderTab(api);
  expect(
    await screen.findByRole('link', { name: 'The cart is slow' }),
  ).toHaveAttribute('href', '/feedback/mine/fb_1');
  expect(api.queries).toEqual([]);
});

it('explains how to send the first feedback', async () => {
  renderTab(new FakeFeedbackApi([]));
  expect(
    await screen.findByText('No feedback about this component yet'),
  ).toBeInTheDocument();
});
