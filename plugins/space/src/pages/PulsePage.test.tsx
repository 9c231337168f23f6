import { screen, waitFor } from '@testing-library/react';
import { FakeSpaceApi } from '../__testUtils__/FakeSpaceApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import { aHiddenReport } from '../__testUtils__/reports';

describe('PulsePage', () => {
  it('accepts two digits and Enter, then shows aggregated answers', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/pulse' });
    await screen.findByRole('group', { name: /^How satisfied/ });
    await user.keyboard('43{Enter}');

    expect(await screen.findByText('Answers sent')).toBeVisible();
    expect(api.pulses).toEqual([
      { satisfaction: 4, productivity: 3, blockers: '', wins: '' },
    ]);
    expect(await screen.findByText('payments, last 30 days')).toBeVisible();
    expect(
      screen.getByText(
        '4 would recommend working here, 2 are neutral, 3 would not.',
      ),
    ).toBeVisible();
  });

  it('shows the title of the team, as the catalog does', async () => {
    const { user } = renderPlugin({
      api: new FakeSpaceApi(),
      path: '/experience/pulse',
      titles: {
        'group:default/payments': 'Payments and invoices',
        'group:default/checkout': 'Checkout',
      },
    });
    await screen.findByRole('group', { name: /^How satisfied/ });
    await user.keyboard('43{Enter}');
    expect(
      await screen.findByText('Payments and invoices, last 30 days'),
    ).toBeVisible();
    await user.click(screen.getByRole('link', { name: /over time/ }));
    const picker = await screen.findByRole('combobox', { name: 'Team' });
    await waitFor(() => expect(picker).toHaveValue('Payments and invoices'));
  });

  it('sends optional answers as well', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/pulse' });
    await screen.findByRole('group', { name: /^How satisfied/ });
    await user.keyboard('55');
    await user.click(screen.getByRole('radio', { name: '9' }));
    await user.type(
      screen.getByRole('textbox', { name: /^What blocked you/ }),
      ' Slow reviews ',
    );
    await user.click(screen.getByRole('button', { name: 'Send answers' }));
    await waitFor(() => expect(api.pulses).toHaveLength(1));
    expect(api.pulses[0]).toEqual({
      satisfaction: 5,
      productivity: 5,
      recommend: 9,
      blockers: 'Slow reviews',
      wins: '',
    });
  });

  it('keeps the other answers if one is changed before the survey closes', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/pulse' });
    await screen.findByRole('group', { name: /^How satisfied/ });
    await user.keyboard('55');
    await user.click(screen.getByRole('radio', { name: '9' }));
    await user.type(
      screen.getByRole('textbox', { name: /^What blocked you/ }),
      'Slow reviews',
    );
    await user.click(screen.getByRole('button', { name: 'Send answers' }));
    await user.click(
      await screen.findByRole('button', { name: 'Change answers' }),
    );
    await user.keyboard('4{Enter}');
    expect(await screen.findByText('Answers sent')).toBeVisible();
    expect(api.pulses[1]).toEqual({ ...api.pulses[0], satisfaction: 4 });
    expect(screen.getByText('Survey closes')).toBeVisible();
  });

  it('focuses the unanswered question', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/pulse' });
    await screen.findByRole('group', { name: /^How satisfied/ });
    await user.keyboard('4{Enter}');
    const productivity = screen.getByRole('group', { name: /^How productive/ });
    expect(productivity).toHaveAccessibleDescription(
      'Choose a number from 1 to 5',
    );
    expect(productivity).toContainElement(
      document.activeElement as HTMLElement,
    );
    expect(api.pulses).toEqual([]);
  });

  it('keeps the answers if sending fails', async () => {
    const api = new FakeSpaceApi();
    await api.refuse('submitPulse', { status: 503, message: 'Not now' });
    const { user } = renderPlugin({ api, path: '/experience/pulse' });
    await screen.findByRole('group', { name: /^How satisfied/ });
    await user.keyboard('24{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      "Couldn't send answers",
    );
    api.recover();
    await user.click(screen.getByRole('button', { name: 'Send answers' }));
    await screen.findByText('Answers sent');
    expect(api.pulses[0]).toMatchObject({ satisfaction: 2, productivity: 4 });
  });

  it('explains why answers of small groups are hidden', async () => {
    const api = new FakeSpaceApi();
    api.reports.satisfaction = aHiddenReport('satisfaction');
    const { user } = renderPlugin({ api, path: '/experience/pulse' });
    await screen.findByRole('group', { name: /^How satisfied/ });
    await user.keyboard('43{Enter}');
    expect(
      await screen.findByText(/answers from at least 5 people/),
    ).toBeVisible();
  });

  it('does not speak of several people where one is enough', async () => {
    const api = new FakeSpaceApi();
    api.reports.satisfaction = {
      ...aHiddenReport('satisfaction'),
      minimumGroupSize: 1,
    };
    const { user } = renderPlugin({ api, path: '/experience/pulse' });
    await screen.findByRole('group', { name: /^How satisfied/ });
    await user.keyboard('43{Enter}');
    expect(
      await screen.findByText(
        'Not shown yet. Results appear when a survey closes.',
      ),
    ).toBeVisible();
  });

  it('disables and enables reminders', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/pulse' });
    await user.click(
      await screen.findByRole('button', { name: 'Turn off reminders' }),
    );
    expect(await screen.findByText(/^Reminders are off/)).toBeVisible();
    expect(api.reminder.optedOut).toBe(true);
    // The pressed button is gone, and its replacement has the focus.
    await waitFor(() =>
      expect(
        screen.getByRole('button', { name: 'Turn on reminders' }),
      ).toHaveFocus(),
    );
    await user.click(screen.getByRole('button', { name: 'Turn on reminders' }));
    await waitFor(() => expect(api.reminder.optedOut).toBe(false));
  });
});
