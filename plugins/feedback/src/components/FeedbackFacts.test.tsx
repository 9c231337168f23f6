import { renderInTestApp } from '@backstage/frontend-test-utils';
import {
  entityPresentationApiRef,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import { failAtOnce } from '@slipway/test-pages';
import { screen } from '@testing-library/react';
import { FakeFeedbackApi, feedback } from '../__testUtils__/FakeFeedbackApi';
import { feedbackApiRef } from '../api/FeedbackApi';
import { FeedbackFacts } from './FeedbackFacts';

it.each([
  ['component:shop/cart', '/catalog/shop/component/cart', 'Cart'],
  ['component:shop/cart?#', '/catalog/shop/component/cart%3F%23'],
  // Free text from the sender, which need not name an entity.
  ['the cart', undefined],
])(
  'links to the component %s only if that is a ref, and shows its title',
  async (component, href, title = component) => {
    const presentation = {
      forEntity: (ref: string) => ({
        promise: Promise.resolve({
          primaryTitle: ref === 'component:shop/cart' ? 'Cart' : ref,
        }),
      }),
    };
    renderInTestApp(<FeedbackFacts feedback={feedback({ component })} />, {
      apis: [
        [feedbackApiRef, new FakeFeedbackApi()],
        [entityPresentationApiRef, presentation as never],
        failAtOnce,
      ],
      mountedRoutes: { '/catalog/:namespace/:kind/:name': entityRouteRef },
    });
    const link = (await screen.findByText(title)).closest('a');
    expect(link?.getAttribute('href')).toBe(href);
  },
);
