import { screen, waitFor, within } from '@testing-library/react';
import { FakeFeedbackApi } from '../__testUtils__/FakeFeedbackApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const PAGE = '/feedback/statistics';

async function openForm(api: FakeFeedbackApi) {
  const { user } = renderPlugin({ api, path: PAGE });
  const [, corner] = await waitFor(() => {
    const found = screen.getAllByRole('button', { name: 'Send feedback' });
    expect(found).toHaveLength(2);
    return [...found].sort((a, b) =>
      a.closest('header') && !b.closest('header') ? -1 : 1,
    );
  });
  await user.click(corner);
  const dialog = await screen.findByRole('dialog', { name: 'Send feedback' });
  return { user, dialog };
}

describe('the widget', () => {
  it('asks for what is missing, and sends what is there', async () => {
    const api = new FakeFeedbackApi();
    const { user, dialog } = await openForm(api);
    const form = within(dialog);
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    expect(dialog).toHaveTextContent('Choose a number from 1 to 5');
    expect(dialog).toHaveTextContent('Say in a few words what it is');

    await user.click(form.getByRole('radio', { name: '4' }));
    await user.type(
      form.getByRole('textbox', { name: /What happened/ }),
      'Nice numbers',
    );
    await user.upload(
      dialog.querySelector('input[type=file]')!,
      new File(['image'], 'shot.png', { type: 'image/png' }),
    );
    await form.findByRole('img', { name: 'The screenshot that will be sent' });
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    await screen.findByRole('dialog', { name: 'Feedback sent' });
    expect(api.submissions).toEqual([
      {
        rating: 4,
        category: 'UI/UX',
        message: 'Nice numbers',
        page: PAGE,
        isAnonymous: false,
        screenshot: 'data:image/png;base64,aW1hZ2U=',
      },
    ]);
  });

  it('keeps what was written when the service is down', async () => {
    const api = new FakeFeedbackApi();
    const { user, dialog } = await openForm(api);
    const form = within(dialog);
    await user.click(form.getByRole('radio', { name: '5, Great' }));
    const message = form.getByRole('textbox', { name: /What happened/ });
    await user.type(message, 'Keep this');
    await user.click(form.getByRole('checkbox', { name: /without my name/ }));
    api.failure = new Error('No answer');
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    expect(await form.findByRole('alert')).toHaveTextContent(
      'Your feedback was not sent',
    );
    expect(message).toHaveValue('Keep this');

    api.failure = undefined;
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    await screen.findByText('It is stored, without your name.');
    expect(api.submissions).toMatchObject([{ isAnonymous: true }]);
  });

  it('refuses files that are no images', async () => {
    const { user, dialog } = await openForm(new FakeFeedbackApi());
    const input = dialog.querySelector<HTMLInputElement>('input[type=file]')!;
    input.removeAttribute('accept');
    await user.upload(
      input,
      new File(['x'], 'x.svg', { type: 'image/svg+xml' }),
    );
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      'That is no PNG, JPEG, GIF or WebP image',
    );
  });
});
