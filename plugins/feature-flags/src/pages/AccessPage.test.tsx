import { screen, waitFor, within } from '@testing-library/react';
import { createFakeFlagsApi } from '../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const path = '/flags/api-access';

describe('AccessPage', () => {
  it('shows which tokens come from the configuration, and their last use', async () => {
    const api = createFakeFlagsApi();
    api.tokens = [
      {
        id: 'configured-0',
        tokenName: 'scripts',
        type: 'admin',
        projects: ['*'],
        environment: '*',
        createdBy: 'configuration',
        createdAt: null,
        lastUsedAt: new Date(Date.now() - 2 * 3_600_000).toISOString(),
      },
    ];
    renderPlugin({ api, path });
    expect(await screen.findByText('From configuration')).toBeVisible();
    expect(screen.getByText(/2 hours ago/)).toBeVisible();
    expect(screen.getByText('All environments')).toBeVisible();
    const main = document.querySelectorAll('button[data-variant="primary"]');
    expect([...main].map(({ textContent }) => textContent)).toEqual([
      'Create flag',
    ]);
    expect(
      screen.getAllByRole('columnheader').map(({ style }) => style.width),
    ).toEqual(['', ...Array(6).fill(expect.stringMatching(/^\d+px$/)), '96px']);
    expect(
      screen.queryByRole('button', { name: 'Rotate token scripts' }),
    ).toBeNull();
  });

  it('shows the secret of a new token once, and deletes a token', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('button', { name: 'Create token' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'shop',
    );
    await user.click(
      within(dialog).getByRole('button', { name: 'Create token' }),
    );
    expect(
      await within(dialog).findByText('*:development.a-secret'),
    ).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByText('*:development.a-secret')).toBeNull();
    expect(api.tokens[0]).toMatchObject({
      tokenName: 'shop',
      projects: ['*'],
      environment: 'development',
    });

    await user.click(
      await screen.findByRole('button', { name: 'Rotate token shop' }),
    );
    await user.click(
      await screen.findByRole('button', { name: 'Create new secret' }),
    );
    expect(await screen.findByText('*:development.a-new-secret')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    await user.click(
      await screen.findByRole('button', { name: 'Delete token shop' }),
    );
    await user.click(
      await screen.findByRole('button', { name: 'Delete token' }),
    );
    await waitFor(() => expect(api.tokens).toEqual([]));
  });

  it('tells readers whom to ask, and how to connect', async () => {
    const api = createFakeFlagsApi();
    api.user = { ...api.user, mayChange: false, projects: [] };
    api.applications = ['shop', 'web'].map(appName => ({
      appName,
      instances: 1,
      sdkVersions: [],
      seenAt: '2026-11-20T10:00:00.000Z',
    }));
    await api.refuse('listTokens', { status: 403, message: 'No' });
    renderPlugin({ api, path });
    expect(
      await screen.findByText('Tokens are managed by admins'),
    ).toBeVisible();
    expect(
      await screen.findByText('Connected applications: shop, web.'),
    ).toBeVisible();
  });
});
