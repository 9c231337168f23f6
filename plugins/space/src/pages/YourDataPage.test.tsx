import { screen, within } from '@testing-library/react';
import { FakeSpaceApi } from '../__testUtils__/FakeSpaceApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

describe('YourDataPage', () => {
  it('shows the stored entries', async () => {
    const { user } = renderPlugin({
      api: new FakeSpaceApi(),
      path: '/experience/your-data',
    });
    await user.click(await screen.findByText('Pulse surveys'));
    expect(
      await screen.findByText('Satisfaction 4 of 5, productivity 3 of 5'),
    ).toBeVisible();
    expect(screen.getByText('Recommendation 9 of 10')).toBeVisible();
    expect(screen.getByText('Blocked by: Slow reviews')).toBeVisible();
    expect(screen.queryByText(/^Went well/)).toBeNull();
    expect(screen.queryByText('The cache was empty')).toBeNull();
    await user.click(screen.getByText('Friction logs'));
    expect(await screen.findByText('Build · High · 1 h 30 min')).toBeVisible();
    expect(screen.getByText('The cache was empty')).toBeVisible();
  });

  it('deletes stored data after confirmation', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/your-data' });
    await user.click(
      await screen.findByRole('button', { name: 'Delete my data' }),
    );
    const dialog = await screen.findByRole('dialog');
    expect(api.records).toBeDefined();
    await user.click(
      within(dialog).getByRole('button', { name: 'Delete my data' }),
    );
    expect(await screen.findByText('No data stored about you.')).toBeVisible();
    expect(api.records).toBeUndefined();
  });
});
