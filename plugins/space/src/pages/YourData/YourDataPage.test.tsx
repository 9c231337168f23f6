import { screen, within } from '@testing-library/react';
import { FakeSpaceApi } from '../../__testUtils__/FakeSpaceApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';

describe('YourDataPage', () => {
  it('erases what is stored once that is confirmed', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/your-data' });
    await user.click(
      await screen.findByRole('button', { name: 'Erase my data' }),
    );
    const dialog = await screen.findByRole('dialog');
    expect(api.records).toBeDefined();
    await user.click(
      within(dialog).getByRole('button', { name: 'Erase my data' }),
    );
    expect(await screen.findByText('Nothing is stored of you.')).toBeVisible();
    expect(api.records).toBeUndefined();
  });
});
