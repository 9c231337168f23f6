import { createExtensionTester } from '@backstage/frontend-test-utils';
import { PaletteSourceBlueprint } from '@slipway/app-react';
import { InPages } from '@slipway/test-pages';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeFeedbackApi, feedback } from '../__testUtils__/FakeFeedbackApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import plugin from '../plugin';
import { servicePages } from '../queries';

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
  it('asks for missing input, and sends the form', async () => {
    const api = new FakeFeedbackApi();
    const { user, dialog } = await openForm(api);
    const form = within(dialog);
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    expect(dialog).toHaveTextContent('Choose a number from 1 to 5');
    expect(dialog).toHaveTextContent(
      'Describe in a few words what it is about',
    );

    await user.click(form.getByRole('radio', { name: '4' }));
    await user.type(
      form.getByRole('textbox', { name: /What happened/ }),
      'Nice numbers',
    );
    await user.upload(
      dialog.querySelector('input[type=file]')!,
      new File(['image'], 'shot.png', { type: 'image/png' }),
    );
    await form.findByRole('img', { name: 'Preview of the screenshot' });
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    const sent = await screen.findByRole('dialog', { name: 'Feedback sent' });
    expect(
      within(sent).getByRole('link', { name: 'View my feedback' }),
    ).toHaveAttribute('href', '/feedback/mine/fb_new');
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

  it('says that a screenshot was not stored, and what to do instead', async () => {
    const api = new FakeFeedbackApi();
    api.hasSpace = false;
    const { user, dialog } = await openForm(api);
    const form = within(dialog);
    await user.click(form.getByRole('radio', { name: '4' }));
    await user.type(form.getByRole('textbox', { name: /What happened/ }), 'Ok');
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    const done = await screen.findByRole('dialog', { name: 'Feedback sent' });
    expect(within(done).getByRole('alert')).toHaveTextContent(
      "Couldn't save the screenshot",
    );
    expect(done).toHaveTextContent('Describe what it shows in a reply');
  });

  it('keeps the input if the service is down', async () => {
    const api = new FakeFeedbackApi();
    const { user, dialog } = await openForm(api);
    const form = within(dialog);
    await user.click(form.getByRole('radio', { name: '5, Great' }));
    const message = form.getByRole('textbox', { name: /What happened/ });
    await user.type(message, 'Keep this');
    await user.click(form.getByRole('checkbox', { name: /anonymously/ }));
    api.failure = new Error('No answer');
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    expect(await form.findByRole('alert')).toHaveTextContent(
      "Couldn't send feedback",
    );
    expect(message).toHaveValue('Keep this');

    api.failure = undefined;
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    await screen.findByText('Sent without your name.');
    expect(api.submissions).toMatchObject([{ isAnonymous: true }]);
  });

  it('offers the default categories with a warning if they cannot be read, and retries', async () => {
    const api = new FakeFeedbackApi();
    api.options = { categories: ['Coffee', 'Tea'], mayTriage: false };
    api.failure = new Error('No answer');
    const { user, dialog } = await openForm(api);
    const form = within(dialog);
    const retry = await form.findByRole('button', {
      name: 'Reload categories',
    });
    expect(form.getByRole('status')).toHaveTextContent('the defaults');
    await user.click(form.getByRole('button', { name: /UI\/UX Category/ }));
    const offered = await screen.findAllByRole('option');
    expect(offered.map(option => option.textContent)).toEqual([
      'UI/UX',
      'Performance',
      'Documentation',
      'CI/CD',
      'Other',
    ]);
    await user.click(offered[3]);

    api.failure = undefined;
    await user.click(retry);
    await form.findByRole('button', { name: /Coffee Category/ });
    expect(retry).not.toBeInTheDocument();
    await user.click(form.getByRole('radio', { name: '4' }));
    await user.type(form.getByRole('textbox', { name: /What happened/ }), 'Ok');
    await user.click(form.getByRole('button', { name: 'Send feedback' }));
    await screen.findByRole('dialog', { name: 'Feedback sent' });
    // The default category that was selected is not among the configured ones.
    expect(api.submissions).toMatchObject([{ category: 'Coffee' }]);
  });

  it('offers to vote for what is similar, without sending what is written', async () => {
    const api = new FakeFeedbackApi([
      feedback({ voting: { title: 'A faster search in docs', isOpen: true } }),
      feedback({
        id: 'fb_2',
        voting: { title: 'A darker theme', isOpen: true },
      }),
    ]);
    const { user, dialog } = await openForm(api);
    const form = within(dialog);
    await user.type(
      form.getByRole('textbox', { name: /What happened/ }),
      'Searching should be faster',
    );
    const similar = within(
      await form.findByRole('region', { name: /^Similar feedback/ }),
    );
    expect(similar.getAllByRole('listitem')).toHaveLength(1);
    await user.click(
      similar.getByRole('button', {
        name: 'Vote for A faster search in docs',
      }),
    );
    expect(await similar.findByRole('img', { name: '1 vote' })).toBeVisible();
    expect(api.ballotQueries.every(({ q }) => q === undefined)).toBe(true);
    expect(dialog).toBeVisible();
    expect(api.submissions).toEqual([]);
  });

  it('rejects files that are not images', async () => {
    const { user, dialog } = await openForm(new FakeFeedbackApi());
    const input = dialog.querySelector<HTMLInputElement>('input[type=file]')!;
    input.removeAttribute('accept');
    await user.upload(
      input,
      new File(['x'], 'x.svg', { type: 'image/svg+xml' }),
    );
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      'The file must be a PNG, JPEG, GIF or WebP image',
    );
  });
});

describe('the action of the palette', () => {
  it('opens the form over the page that is open', async () => {
    const source = createExtensionTester(
      plugin.getExtension('palette-source:feedback'),
    ).get(PaletteSourceBlueprint.dataRefs.source);
    const SendDialog = source!.dialogs.send;

    const onClose = vi.fn();
    const { user } = renderPlugin({
      api: new FakeFeedbackApi(),
      path: PAGE,
      element: (
        <InPages pages={servicePages}>
          <SendDialog onClose={onClose} />
        </InPages>
      ),
    });
    const dialog = await screen.findByRole('dialog', { name: 'Send feedback' });
    expect(dialog).toHaveTextContent(`About ${PAGE}`);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(onClose).toHaveBeenCalledOnce();
  });
});
