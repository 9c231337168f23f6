import { screen, waitFor, within } from '@testing-library/react';
import { createFakeFlagsApi } from '../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

describe('ChangesPage', () => {
  it('lists what waits and what is scheduled, and schedules what is approved', async () => {
    const api = createFakeFlagsApi();
    api.production = { ...api.production, protected: true };
    await api.changeEnvironment(
      { name: 'checkout', project: 'default' },
      { environment: 'production', enabled: true },
    );
    await api.setChangeRequestState(1, { state: 'Approved' });
    await api.createSchedule(
      { name: 'old-search', project: 'default' },
      {
        environment: 'development',
        steps: [{ at: '2026-12-01T10:00:00.000Z', enabled: false }],
        limits: [],
        whenCrossed: 'pause',
      },
    );
    const { user } = renderPlugin({ api, path: '/flags/changes' });
    const request = await screen.findByRole('article', {
      name: 'Change request 1',
    });
    expect(
      within(request).getByRole('region', { name: 'After' }),
    ).toHaveTextContent('On');
    await user.click(
      within(request).getByRole('button', { name: 'Apply later' }),
    );
    await api.refuse('setChangeRequestState', { status: 500, message: 'No' });
    await user.click(within(request).getByRole('button', { name: 'Schedule' }));
    expect(await within(request).findByRole('alert')).toBeVisible();
    api.recover();
    // The entered time was kept.
    await user.click(within(request).getByRole('button', { name: 'Schedule' }));
    await waitFor(() => expect(api.requests[0].state).toBe('Scheduled'));
    expect(api.requests[0].scheduledAt).toMatch(/Z$/);
    const schedules = screen.getByRole('region', { name: 'Schedules' });
    expect(schedules).toHaveTextContent(/old-search.*development.*Active.*Off/);
    await user.click(
      within(request).getByRole('button', { name: 'Cancel request' }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Cancel change request 1?',
    });
    expect(api.requests[0].state).toBe('Scheduled');
    await user.click(
      within(dialog).getByRole('button', { name: 'Cancel request' }),
    );
    expect(await screen.findByText('No change requests')).toBeVisible();
  });
});

describe('EnvironmentsPage', () => {
  it('has changes approved, and leaves the own environment as it is', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path: '/flags/environments' });
    await user.click(
      await screen.findByRole('switch', {
        name: 'Changes in production need approval',
      }),
    );
    await waitFor(() => expect(api.production.protected).toBe(true));
    expect(screen.getAllByRole('switch')).toHaveLength(1);
    expect(
      await screen.findByRole('textbox', { name: 'Approvals in production' }),
    ).toHaveValue('1');
  });

  it('says that the number of approvals could not be changed', async () => {
    const api = createFakeFlagsApi();
    api.production = { ...api.production, protected: true };
    const { user } = renderPlugin({ api, path: '/flags/environments' });
    const field = await screen.findByRole('textbox', {
      name: 'Approvals in production',
    });
    await api.refuse('updateEnvironment', { status: 500, message: 'No' });
    await user.clear(field);
    await user.type(field, '2');
    await user.tab();
    expect(await screen.findByRole('alert')).toHaveTextContent(
      "Couldn't change production",
    );
  });

  it('creates, changes and deletes environments', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path: '/flags/environments' });
    await user.click(
      await screen.findByRole('button', { name: 'Create environment' }),
    );
    const dialog = within(await screen.findByRole('dialog'));
    const submit = dialog.getByRole('button', { name: 'Create environment' });
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await user.type(name, 'stag.ing');
    await user.click(submit);
    expect(dialog.getByText(/^Use letters, digits, hyphens/)).toBeVisible();
    await user.clear(name);
    await user.type(name, 'staging');
    await user.click(submit);
    const row = await screen.findByRole('row', { name: 'staging' });
    expect(row).toHaveTextContent('Pre-production');

    await user.click(
      within(row).getByRole('button', { name: 'Edit environment staging' }),
    );
    await user.click(await screen.findByRole('button', { name: /Type/ }));
    await user.click(await screen.findByRole('option', { name: 'Test' }));
    await user.click(screen.getByRole('button', { name: 'Save environment' }));
    await waitFor(() =>
      expect(screen.getByRole('row', { name: 'staging' })).toHaveTextContent(
        'Test',
      ),
    );

    await user.click(
      screen.getByRole('button', { name: 'Delete environment staging' }),
    );
    await user.click(
      await screen.findByRole('button', { name: 'Delete environment' }),
    );
    await waitFor(() =>
      expect(screen.queryByRole('row', { name: 'staging' })).toBeNull(),
    );
  });
});
