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
      within(dialog).getByRole('button', { name: 'Save segment' }),
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
