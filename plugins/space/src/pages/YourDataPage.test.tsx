import { screen, within } from '@testing-library/react';
import { FakeSpaceApi } from '../__testUtils__/FakeSpaceApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

describe('YourDataPage', () => {
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
