import { screen, waitFor, within } from '@testing-library/react';
import { createFakeFlagsApi } from '../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const path = '/flags/segments';

describe('SegmentsPage', () => {
  it('creates a segment with a constraint, and changes it', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    expect(await screen.findByText('No segments yet')).toBeVisible();
    await user.click(
      await screen.findByRole('button', { name: 'Create segment' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'Team',
    );
    await user.click(
      within(dialog).getByRole('button', { name: 'Add constraint' }),
    );
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Values' }),
      'ada, grace',
    );
    await user.click(
      within(dialog).getByRole('button', { name: 'Create segment' }),
    );
    await waitFor(() =>
      expect(api.segments).toMatchObject([
        {
          name: 'Team',
          constraints: [
            {
              contextName: 'userId',
              operator: 'IN',
              values: ['ada', 'grace'],
            },
          ],
        },
      ]),
    );
    expect(await screen.findByText('userId IN ada, grace')).toBeVisible();
  });

  it('links the flags whose rules use a segment, with their environments', async () => {
    const api = createFakeFlagsApi();
    const segment = { description: '', constraints: [] };
    api.segments = [
      { ...segment, id: 1, name: 'Team' },
      { ...segment, id: 2, name: 'Europe' },
    ];
    const rule = { name: 'default', parameters: {}, segments: [1] };
    api.put('checkout', { strategies: [rule] });
    api.put('old-search', { strategies: [] });
    api.production = { ...api.production, strategies: [rule] };
    renderPlugin({ api, path });
    expect(
      await screen.findByRole('link', { name: 'checkout' }),
    ).toHaveAttribute('href', '/flags/flag/checkout');
    expect(screen.getByText(/^Used by:/)).toHaveTextContent(
      'Used by: checkout (development, production), old-search (production)',
    );
    expect(screen.getByText('No rule uses it.')).toBeVisible();
  });

  it('keeps the descriptions of the legal values that stay', async () => {
    const api = createFakeFlagsApi();
    const eu = { value: 'eu', description: 'With the islands' };
    api.contextFields = [
      { name: 'region', legalValues: [eu, { value: 'us' }] },
      { name: 'userId', legalValues: [] },
    ];
    const { user } = renderPlugin({ api, path });
    const editRegion = await screen.findByRole('button', {
      name: 'Edit context field region',
    });
    // Fields that SDKs set cannot be deleted.
    expect(
      screen.getByRole('button', { name: 'Delete context field region' }),
    ).toBeVisible();
    expect(
      screen.queryByRole('button', { name: 'Delete context field userId' }),
    ).toBeNull();
    await user.click(editRegion);
    const dialog = within(await screen.findByRole('dialog'));
    const values = dialog.getByRole('textbox', { name: 'Legal values' });
    await user.clear(values);
    await user.type(values, 'asia{Enter}eu');
    await user.click(
      dialog.getByRole('button', { name: 'Save context field' }),
    );
    await waitFor(() =>
      expect(api.contextFields[0].legalValues).toEqual([{ value: 'asia' }, eu]),
    );
  });

  it('does not overwrite what others have saved in the meantime', async () => {
    const api = createFakeFlagsApi();
    const segment = { id: 1, name: 'Team', description: '', constraints: [] };
    api.segments = [{ ...segment, etag: '"7"' }];
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('button', { name: 'Edit segment Team' }),
    );
    api.segments = [{ ...segment, description: 'Theirs', etag: '"8"' }];
    await user.click(screen.getByRole('button', { name: 'Save segment' }));
    expect(
      await screen.findByText(/^Someone else changed this segment/),
    ).toBeVisible();
    expect(api.segments[0].description).toBe('Theirs');
  });

  it('keeps a segment that the service refuses to delete', async () => {
    const api = createFakeFlagsApi();
    api.segments = [{ id: 1, name: 'Team', description: '', constraints: [] }];
    await api.refuse('deleteSegment', {
      status: 409,
      message: 'Segment Team is used by flag checkout in development',
    });
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('button', { name: 'Delete segment Team' }),
    );
    await user.click(
      await screen.findByRole('button', { name: 'Delete segment' }),
    );
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(api.segments).toHaveLength(1);
  });
});
