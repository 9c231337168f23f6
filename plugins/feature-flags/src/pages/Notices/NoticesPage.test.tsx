import { screen, waitFor, within } from '@testing-library/react';
import { createFakeFlagsApi } from '../../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';

const path = '/flags/notices';

describe('NoticesPage', () => {
  it('adds a channel for some events, and names the fields that are missing', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    expect(await screen.findByText('No channels yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add channel' }));
    const dialog = await screen.findByRole('dialog');
    const field = (name: string) =>
      within(dialog).getByRole('textbox', { name });
    const submit = () =>
      user.click(within(dialog).getByRole('button', { name: 'Add channel' }));
    await submit();
    expect(await within(dialog).findByText('Enter a name')).toBeVisible();
    expect(
      within(dialog).getByText('Enter an http or https address'),
    ).toBeVisible();
    expect(api.channels).toEqual([]);

    await user.type(field('Name'), 'Shop');
    await user.type(
      field('Webhook URL'),
      'https://hooks.slack.com/services/T0/B0/x',
    );
    await user.click(
      within(dialog).getByRole('checkbox', { name: 'Flag turned on or off' }),
    );
    await submit();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.channels).toEqual([
      {
        id: 1,
        revision: 1,
        name: 'Shop',
        kind: 'slack',
        host: 'hooks.slack.com',
        signed: false,
        projects: ['*'],
        environments: ['*'],
        events: ['flag-switched'],
        enabled: true,
      },
    ]);
    expect(
      await screen.findByText(
        'Slack at hooks.slack.com · Flag turned on or off · All projects · All environments',
      ),
    ).toBeVisible();
  });

  it('tests, disables, edits and deletes a channel, and shows its log', async () => {
    const api = createFakeFlagsApi();
    api.channels = [
      {
        id: 7,
        revision: 1,
        name: 'Shop',
        kind: 'teams',
        host: 'example.logic.azure.com',
        signed: false,
        projects: ['default'],
        environments: ['production'],
        events: ['*'],
        enabled: true,
      },
    ];
    api.deliveries = [
      {
        id: 'one',
        text: 'checkout was turned on in production by ada',
        state: 'pending',
        attempts: 2,
        createdAt: '2026-11-20T10:00:00.000Z',
        lastError: 'The receiver answered 503',
      },
    ];
    const { user } = renderPlugin({ api, path });
    const press = async (name: string) =>
      user.click(await screen.findByRole('button', { name }));

    await press('Send a test notice to Shop');
    expect(
      await screen.findByText('The test notice was delivered.'),
    ).toBeVisible();
    api.testOutcome = { delivered: false, error: 'The receiver answered 404' };
    await press('Send a test notice to Shop');
    expect(await screen.findByText('The receiver answered 404')).toBeVisible();

    await press('Latest notices to Shop');
    expect(await screen.findByText('Waiting')).toBeVisible();
    expect(screen.getByText('The receiver answered 503')).toBeVisible();

    const isSending = screen.getByRole('switch', {
      name: 'Send notices to Shop',
    });
    await user.click(isSending);
    await waitFor(() => expect(api.channels[0].enabled).toBe(false));
    // Until then, an edit would start from the previous state of the channel.
    await waitFor(() => expect(isSending).not.toHaveAttribute('aria-readonly'));

    await press('Edit Shop');
    const dialog = await screen.findByRole('dialog');
    // The group is rendered again once the environments have loaded.
    const production = await waitFor(() =>
      within(
        within(dialog).getByRole('group', { name: 'Environments' }),
      ).getByRole('checkbox', { name: 'production' }),
    );
    await user.click(production);
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.channels[0].environments).toEqual(['*']));

    await press('Delete Shop');
    await press('Delete channel');
    await waitFor(() => expect(api.channels).toEqual([]));
  });

  it('saves no draft over what others have changed since', async () => {
    const api = createFakeFlagsApi();
    const channel = {
      id: 7,
      revision: 1,
      name: 'Shop',
      kind: 'teams',
      host: 'example.logic.azure.com',
      signed: false,
      projects: ['*'],
      environments: ['*'],
      events: ['*'],
      enabled: true,
    } as const;
    api.channels = [channel];
    const { user } = renderPlugin({ api, path });
    await user.click(await screen.findByRole('button', { name: 'Edit Shop' }));
    const dialog = await screen.findByRole('dialog');
    api.channels = [{ ...channel, name: 'Team', revision: 2 }];
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(
      await within(dialog).findByText(/Someone else changed this channel/),
    ).toBeVisible();
    expect(api.channels[0].name).toBe('Team');

    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Edit Team' }));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', {
        name: 'Save',
      }),
    );
    await waitFor(() => expect(api.channels[0].revision).toBe(3));
  });

  it('tells readers who manages notices', async () => {
    const api = createFakeFlagsApi();
    api.user = { ...api.user, mayChange: false };
    await api.refuse('listChannels', { status: 403, message: 'No' });
    renderPlugin({ api, path });
    expect(
      await screen.findByText('Notices are managed by admins'),
    ).toBeVisible();
  });
});
