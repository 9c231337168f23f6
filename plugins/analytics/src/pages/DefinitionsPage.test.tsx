import { screen, waitFor, within } from '@testing-library/react';
import { definitionOf, FakeEventsApi } from '../__testUtils__/FakeEventsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

function apiWithDefinitions(): FakeEventsApi {
  const api = new FakeEventsApi();
  api.definitions.event = [
    definitionOf('signed up', { volume_30_day: 4, used_by_insights: 2 }),
    definitionOf('bought', { volume_30_day: 12_000 }),
    definitionOf('debug', { hidden: true }),
  ];
  api.definitions.event_property = [
    definitionOf('plan', { property_type: 'String' }),
  ];
  return api;
}

beforeEach(() => localStorage.clear());

describe('definitions', () => {
  it('list the most frequent events first, and save notes on one', async () => {
    const api = apiWithDefinitions();
    const { user, address } = renderPlugin({
      api,
      path: '/analytics/definitions',
    });
    const table = await screen.findByRole('grid', { name: 'Events' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows[0]).toHaveTextContent('bought');
    await user.click(within(table).getByText('signed up'));
    const panel = await screen.findByRole('complementary', {
      name: 'signed up',
    });
    expect(address()).toContain('definition=');
    expect(
      within(panel).getByRole('link', { name: 'View trend' }),
    ).toHaveAttribute('href', expect.stringContaining('events=signed+up'));
    await user.type(
      within(panel).getByRole('textbox', { name: 'Owner' }),
      'growth',
    );
    await user.click(within(panel).getByRole('button', { name: 'Save notes' }));
    await waitFor(() => expect(api.definitions.event[0].owner).toBe('growth'));
    await user.click(within(panel).getByRole('checkbox', { name: /Verified/ }));
    await waitFor(() => expect(api.definitions.event[0].verified).toBe(true));
  });

  it('list properties with their type and most frequent values', async () => {
    const { user } = renderPlugin({
      api: apiWithDefinitions(),
      path: '/analytics/definitions?kind=event_property',
    });
    const table = await screen.findByRole('grid', { name: 'Event properties' });
    await user.click(within(table).getByText('plan'));
    const panel = await screen.findByRole('complementary', { name: 'plan' });
    expect(panel).toHaveTextContent('Text');
    expect(
      await within(panel).findByRole('region', { name: /Most frequent/ }),
    ).toBeVisible();
  });

  it('explain the empty list, and report failures', async () => {
    renderPlugin({ path: '/analytics/definitions' });
    expect(await screen.findByText('No definitions yet')).toBeVisible();
  });

  it('are offered by insights, except for hidden ones', async () => {
    const { user, address } = renderPlugin({
      api: apiWithDefinitions(),
      path: '/analytics/insights',
    });
    const by = await screen.findByRole('combobox', {
      name: 'Break down by',
    });
    await user.click(by);
    await user.click(await screen.findByRole('option', { name: 'plan' }));
    await waitFor(() => expect(address()).toContain('by=plan'));
  });
});
