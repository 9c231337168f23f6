import { screen } from '@testing-library/react';
import { FakeDeliveryLakeApi } from '../__testUtils__/FakeDeliveryLakeApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

describe('UnmatchedPage', () => {
  it('shows the annotation with which a component claims a service', async () => {
    const api = new FakeDeliveryLakeApi();
    api.status = { ...api.status, unmatchedServices: 1 };
    api.unmatched = {
      ...api.unmatched,
      services: [
        {
          name: 'team: shop/cart',
          deployments: 12,
          incidents: 0,
          lastSeenAt: '2026-11-20T09:04:00.000Z',
          sources: ['jenkins'],
          reason: 'ambiguous',
          candidates: ['component:default/cart', 'component:default/cart-ui'],
        },
      ],
      deliveries: [
        {
          id: '1',
          channel: 'github',
          type: 'star',
          receivedAt: '2026-11-20T09:04:00.000Z',
          outcome: 'ignored',
          reason: 'star holds nothing for the lake',
        },
      ],
    };
    const { user } = renderPlugin({ api, path: '/delivery/unmatched' });
    expect(
      await screen.findByRole('link', { name: 'Unmatched (1)' }),
    ).toHaveAttribute('aria-current', 'page');
    await user.click(
      await screen.findByRole('button', {
        name: 'Copy annotation for team: shop/cart',
      }),
    );
    expect(await navigator.clipboard.readText()).toBe(
      'metadata:\n  annotations:\n    slipway.dev/delivery-service: "team: shop/cart"',
    );
    expect(
      screen.getByText(/Candidates: component:default\/cart, /),
    ).toBeVisible();
    expect(
      screen.getByRole('table', { name: 'Webhook deliveries with no effect' }),
    ).toHaveTextContent('star holds nothing for the lake');
  });

  it.each([
    ['pagerduty:PF9KMXH', 'pagerduty.com/service-id: "PF9KMXH"'],
    ['jira:SHOP', 'jira/project-key: "SHOP"'],
  ])('shows the annotation of the tracker for %s', async (name, annotation) => {
    const api = new FakeDeliveryLakeApi();
    api.unmatched = {
      ...api.unmatched,
      services: [
        {
          ...{ name, deployments: 0, incidents: 2 },
          lastSeenAt: '2026-11-20T09:04:00.000Z',
          sources: [name.split(':')[0]],
          reason: 'unknown',
          candidates: [],
        },
      ],
    };
    const { user } = renderPlugin({ api, path: '/delivery/unmatched' });
    await user.click(
      await screen.findByRole('button', {
        name: `Copy annotation for ${name}`,
      }),
    );
    expect(await navigator.clipboard.readText()).toBe(
      `metadata:\n  annotations:\n    ${annotation}`,
    );
  });

  it('shows an empty state', async () => {
    renderPlugin({
      api: new FakeDeliveryLakeApi(),
      path: '/delivery/unmatched',
    });
    expect(await screen.findByText('Everything is matched')).toBeVisible();
  });
});
