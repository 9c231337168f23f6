import type { Entity } from '@backstage/catalog-model';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import { catalogApiRef, EntityProvider } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen, within } from '@testing-library/react';
import { FakeFeedbackApi, feedback } from '../__testUtils__/FakeFeedbackApi';
import { feedbackApiRef } from '../api/FeedbackApi';
import { servicePages } from '../queries';
import { mineRouteRef, rootRouteRef, triageRouteRef } from '../routes';
import { EntityFeedback } from './EntityFeedback';

const SHOP = 'component:default/shop';

const component = (name: string) => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name, namespace: 'default' },
  relations: [{ type: 'ownedBy', targetRef: 'group:default/payments' }],
});

function renderTab(api: FakeFeedbackApi, entity: Entity = component('shop')) {
  renderInTestApp(
    <EntityProvider entity={entity}>
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
      apis: [
        [feedbackApiRef, api],
        [
          catalogApiRef,
          catalogApiMock({ entities: [component('shop'), component('till')] }),
        ],
        failAtOnce,
      ],
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

it('names the component of each entry about those of a group', async () => {
  const api = new FakeFeedbackApi([
    feedback({ id: 'fb_1', message: 'The cart is slow', component: SHOP }),
    feedback({ id: 'fb_2', message: 'No receipt', component: 'Till' }),
  ]);
  // The service finds the components of a group.
  api.componentsOf = { 'group:default/payments': [SHOP, 'Till'] };
  renderTab(api, {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Group',
    metadata: { name: 'payments' },
  });
  const list = await screen.findByRole('grid', {
    name: 'Feedback about these components',
  });
  const rows = within(list).getAllByRole('row').slice(1);
  expect(rows[0]).toHaveTextContent(/The cart is slow.*shop/);
  expect(rows[1]).toHaveTextContent(/No receipt.*till/);
});
