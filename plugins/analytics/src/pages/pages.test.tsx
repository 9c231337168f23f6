import { screen, waitFor, within } from '@testing-library/react';
import { eventOf, FakeEventsApi } from '../__testUtils__/FakeEventsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

describe('live events', () => {
  it('shows what arrives by itself, and one event in full', async () => {
    const api = new FakeEventsApi();
    const { user, address } = renderPlugin({ api, path: '/analytics' });
    await screen.findByRole('row', { name: /signed up/ });
    api.events = [eventOf('came later', { page: 'x' }), ...api.events];
    const row = await screen.findByRole('row', { name: /came later/ });
    await user.click(row);
    const panel = await screen.findByRole('complementary', {
      name: 'came later',
    });
    expect(within(panel).getByText('x')).toBeVisible();
    expect(address()).toContain('id=');
    expect(screen.getByRole('row', { selected: true })).toBe(row);
  });

  it('says how a product is connected while there is nothing', async () => {
    const api = new FakeEventsApi();
    api.events = [];
    renderPlugin({ api, path: '/analytics' });
    expect(
      await screen.findByRole('region', { name: 'Connect a product' }),
    ).toHaveTextContent('posthog-node');
  });
});

describe('query', () => {
  it('keeps the question in the address and shows the answer', async () => {
    const api = new FakeEventsApi();
    const { user, address } = renderPlugin({ api, path: '/analytics/query' });
    const columns = await screen.findByRole('textbox', { name: 'Columns' });
    await user.clear(columns);
    await user.type(columns, "event, uniq(properties[['a, b'])");
    await user.click(screen.getByRole('button', { name: 'Run' }));
    await waitFor(() => expect(address()).toContain('columns='));
    await waitFor(() =>
      expect(api.asked.at(-1)?.select).toEqual([
        'event',
        "uniq(properties['a, b'])",
      ]),
    );
    expect(await screen.findByRole('row', { name: /signed up/ })).toBeVisible();
  });

  it('says what is wrong with a question', async () => {
    const api = new FakeEventsApi();
    api.failure = new Error('query.select.0 calls what is none');
    renderPlugin({ api, path: '/analytics/query' });
    expect(await screen.findByText('Query failed')).toBeVisible();
  });
});

describe('trends', () => {
  it('shows a number for each day, and keeps the question in the address', async () => {
    const api = new FakeEventsApi();
    const { user, address } = renderPlugin({ api, path: '/analytics/trends' });
    expect(
      await screen.findByRole('region', { name: 'All events: 5' }),
    ).toHaveTextContent('19-Nov-2026');
    expect(screen.getByRole('table', { name: 'All events' })).toHaveTextContent(
      '21-Nov-20263',
    );

    const by = screen.getByRole('textbox', { name: 'Break down by property' });
    await user.type(by, 'plan');
    await user.tab();
    expect(
      await screen.findByRole('region', { name: 'No value: 5' }),
    ).toBeVisible();
    expect(screen.getByRole('region', { name: 'pro: 5' })).toBeVisible();
    expect(address()).toContain('by=plan');
    expect(api.askedTrends.at(-1)).toEqual({
      series: [{ kind: 'EventsNode', math: 'total' }],
      interval: 'day',
      dateRange: { date_from: '-30d' },
      breakdownFilter: { breakdown: 'plan' },
    });
  });
});

describe('project settings', () => {
  it('shows what SDKs sent that is lost or still waits', async () => {
    const api = new FakeEventsApi();
    api.ingestion = {
      deferred: 1_500,
      dropped: [
        {
          reason: 'no_distinct_id',
          events: 2,
          lastAt: new Date().toISOString(),
        },
      ],
    };
    renderPlugin({ api, path: '/analytics/settings' });
    const panel = await screen.findByRole('region', {
      name: 'Events that queries do not show',
    });
    expect(panel).toHaveTextContent('1,500');
    expect(panel).toHaveTextContent('no user id2, last');
  });

  it('makes a key, shows it once, and revokes it', async () => {
    const { user } = renderPlugin({
      api: new FakeEventsApi(),
      path: '/analytics/settings',
    });
    await user.click(
      await screen.findByRole('button', { name: 'Create key or token' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'web',
    );
    await user.click(
      within(dialog).getByRole('button', { name: 'Create key or token' }),
    );
    expect(await screen.findByText('phc_secret')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await user.click(await screen.findByRole('button', { name: 'Revoke web' }));
    const confirm = await screen
      .findByRole('alertdialog')
      .catch(() => screen.getByRole('dialog'));
    await user.click(within(confirm).getByRole('button', { name: 'Revoke' }));
    await waitFor(() =>
      expect(screen.queryByRole('row', { name: /web/ })).toBeNull(),
    );
  });

  it('offers nothing to who may not', async () => {
    const api = new FakeEventsApi();
    api.mayManage = false;
    renderPlugin({ api, path: '/analytics/settings' });
    await screen.findByRole('row', { name: /development/ });
    expect(screen.queryByRole('button', { name: /Create key/ })).toBeNull();
    expect(screen.getByText(/Only platform admins/)).toBeVisible();
  });
});
