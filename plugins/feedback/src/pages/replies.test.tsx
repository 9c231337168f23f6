import { ResponseError } from '@backstage/errors';
import { screen, waitFor, within } from '@testing-library/react';
import {
  FakeFeedbackApi,
  feedback,
  reply,
} from '../__testUtils__/FakeFeedbackApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const answered = feedback({
  replyCount: 2,
  awaitsReply: true,
  replies: [
    reply(),
    reply({
      id: 'rp_2',
      message: 'Version 2\n<b>beta</b>',
      authorName: 'Grace',
      isFromSender: true,
    }),
  ],
});

/** Opens a page with the entry, and returns its thread. */
async function openThread(api: FakeFeedbackApi, path: string) {
  const { user } = renderPlugin({ api, path });
  const thread = await screen.findByRole('region', { name: 'Replies' });
  return { user, thread: within(thread) };
}

describe('my feedback', () => {
  it('shows the replies as text, and sends an answer', async () => {
    const api = new FakeFeedbackApi([answered]);
    const { user, thread } = await openThread(api, '/feedback/mine/fb_1');
    const [question, answer] = thread.getAllByRole('listitem');
    expect(question).toHaveTextContent(/^Ada.*Which version\?/);
    expect(answer).toHaveTextContent('<b>beta</b>');
    expect(thread.queryByRole('radio')).toBeNull();
    await user.type(thread.getByRole('textbox', { name: 'Reply' }), ' Really ');
    await user.click(thread.getByRole('button', { name: 'Send reply' }));
    expect(await thread.findByText('Really')).toBeVisible();
    expect(thread.getByRole('status')).toHaveTextContent('Reply sent');
    expect(thread.getByRole('textbox', { name: 'Reply' })).toHaveValue('');
    expect(api.records[0].replies.at(-1)).toMatchObject({
      message: 'Really',
      isInternal: false,
    });
  });

  it('offers deletion until somebody who triages has replied', async () => {
    const own = reply({ isFromSender: true });
    const api = new FakeFeedbackApi([
      feedback({ replies: [own] }),
      feedback({ id: 'fb_2', message: 'Another', replies: [own, reply()] }),
    ]);
    const { user, thread } = await openThread(api, '/feedback/mine/fb_1');
    expect(await thread.findByRole('listitem')).toBeVisible();
    const deletion = () =>
      screen.queryByRole('button', { name: 'Delete feedback' });
    expect(deletion()).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Another' }));
    await waitFor(() => expect(screen.getAllByRole('listitem')).toBeTruthy());
    await waitFor(() => expect(deletion()).toBeNull());
  });

  it('has no form for readers who may not reply', async () => {
    const api = new FakeFeedbackApi([feedback({ mayReply: false })]);
    const { thread } = await openThread(api, '/feedback/mine/fb_1');
    expect(await thread.findByText('No replies yet.')).toBeVisible();
    expect(thread.queryByRole('textbox')).toBeNull();
  });
});

describe('triage', () => {
  it('marks in the list what awaits a reply, and filters by it', async () => {
    const api = new FakeFeedbackApi([
      answered,
      feedback({ id: 'fb_2', message: 'Another', replyCount: 1 }),
      feedback({ id: 'fb_3', message: 'Third' }),
    ]);
    const { user, address } = renderPlugin({ api, path: '/feedback/triage' });
    const row = async (name: RegExp) => {
      const link = await screen.findByRole('link', { name });
      return within(link.closest('tr')!);
    };
    const first = await row(/The build hangs/);
    expect(first.getByText('Awaiting reply')).toBeVisible();
    expect(first.getByRole('img', { name: '2 replies' })).toBeVisible();
    const second = await row(/Another/);
    expect(second.queryByText('Awaiting reply')).toBeNull();
    expect(second.getByRole('img', { name: '1 reply' })).toBeVisible();
    expect(
      (await row(/Third/)).queryByRole('img', { name: /repl/ }),
    ).toBeNull();
    await user.click(screen.getByRole('button', { name: /Replies/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Awaiting reply' }),
    );
    await waitFor(() =>
      expect(address()).toBe('/feedback/triage?replies=awaited'),
    );
    await waitFor(() => expect(screen.queryByText('Another')).toBeNull());
  });

  it('replies to the sender, or notes something for others who triage', async () => {
    const api = new FakeFeedbackApi([answered]);
    const { user, thread } = await openThread(api, '/feedback/triage/fb_1');
    expect(await thread.findByText(/Grace, sender/)).toBeVisible();
    expect(thread.getByText('Awaiting reply')).toBeVisible();
    const send = thread.getByRole('button', { name: 'Send reply' });
    await user.click(send);
    expect(await thread.findByText('Write a few words')).toBeVisible();
    const field = thread.getByRole('textbox', { name: 'Reply' });
    expect(field).toHaveAccessibleDescription(/The sender is notified/);
    expect(field).toHaveFocus();
    await user.click(thread.getByRole('radio', { name: 'Internal note' }));
    const note = thread.getByRole('textbox', { name: 'Internal note' });
    expect(note).toHaveAccessibleDescription(/Only people who triage/);
    await user.type(note, 'As in #12');
    await user.click(thread.getByRole('button', { name: 'Save note' }));
    expect(await thread.findByText('As in #12')).toBeVisible();
    expect(thread.getByRole('status')).toHaveTextContent('Note saved');
    expect(api.records[0].replies.at(-1)).toMatchObject({
      message: 'As in #12',
      isInternal: true,
    });
    const [, , noted] = thread.getAllByRole('listitem');
    expect(within(noted).getByText('Internal note')).toBeVisible();
  });

  it('does not promise to notify the sender, who is the reader', async () => {
    const api = new FakeFeedbackApi([feedback({ isOwn: true })]);
    const { thread } = await openThread(api, '/feedback/triage/fb_1');
    expect(
      await thread.findByRole('textbox', { name: 'Reply' }),
    ).toHaveAccessibleDescription(/You sent this feedback/);
    expect(thread.getByRole('radio', { name: 'Reply' })).toBeChecked();
    expect(thread.queryByText(/sender is notified/)).toBeNull();
  });

  it('only has notes for feedback whose sender cannot be notified', async () => {
    const api = new FakeFeedbackApi([feedback({ mayReply: false })]);
    const { thread } = await openThread(api, '/feedback/triage/fb_1');
    expect(
      await thread.findByRole('textbox', { name: 'Internal note' }),
    ).toBeVisible();
    expect(thread.getByText(/sender cannot be notified/)).toBeVisible();
    expect(thread.queryByRole('radio')).toBeNull();
  });

  it('takes no further words while a reply is sent, which would be lost', async () => {
    const api = new FakeFeedbackApi([answered]);
    const { user, thread } = await openThread(api, '/feedback/triage/fb_1');
    const field = await thread.findByRole('textbox', { name: 'Reply' });
    await user.type(field, 'Thanks');
    let end = () => {};
    vi.spyOn(api, 'addReply').mockReturnValue(
      new Promise<void>(resolve => {
        end = resolve;
      }),
    );
    await user.click(thread.getByRole('button', { name: 'Send reply' }));
    await user.type(field, ', and');
    expect(field).toHaveValue('Thanks');
    end();
    await waitFor(() => expect(field).toHaveValue(''));
    await user.type(field, 'One more');
    expect(field).toHaveValue('One more');
  });

  it('keeps what was written if it cannot be sent', async () => {
    const api = new FakeFeedbackApi([answered]);
    const { user, thread } = await openThread(api, '/feedback/triage/fb_1');
    const field = await thread.findByRole('textbox', { name: 'Reply' });
    await user.type(field, 'Thanks');
    const full = await ResponseError.fromResponse(
      Response.json(
        {
          error: { message: 'Feedback can have at most 200 replies' },
          response: { statusCode: 409 },
        },
        { status: 409 },
      ) as Response & { ok: false },
    );
    vi.spyOn(api, 'addReply').mockRejectedValue(full);
    await user.click(thread.getByRole('button', { name: 'Send reply' }));
    expect(await thread.findByRole('alert')).toHaveTextContent(
      /Couldn't send reply.*at most 200 replies/,
    );
    expect(field).toHaveValue('Thanks');
    // The first attempt may have arrived, so the second one has the same key.
    const send = vi.mocked(api.addReply);
    await user.click(thread.getByRole('button', { name: 'Send reply' }));
    await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
    const keys = () => send.mock.calls.map(([, sent]) => sent.idempotencyKey);
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys()[1]).toBe(keys()[0]);
    await user.click(thread.getByRole('radio', { name: 'Internal note' }));
    await user.click(thread.getByRole('button', { name: 'Save note' }));
    expect(await thread.findByText("Couldn't save note")).toBeVisible();
    expect(keys()[2]).not.toBe(keys()[0]);
  });

  it('deletes a reply after a question, and keeps the focus near it', async () => {
    const api = new FakeFeedbackApi([answered]);
    const { user, thread } = await openThread(api, '/feedback/triage/fb_1');
    await user.click(
      await thread.findByRole('button', { name: 'Delete reply by Grace' }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Delete this reply?',
    });
    await user.click(
      within(dialog).getByRole('button', { name: 'Delete reply' }),
    );
    await waitFor(() =>
      expect(thread.getAllByRole('listitem')).toHaveLength(1),
    );
    expect(api.records[0].replies).toMatchObject([{ id: 'rp_1' }]);
    await waitFor(() =>
      expect(
        thread.getByRole('button', { name: 'Delete reply by Ada' }),
      ).toHaveFocus(),
    );
  });
});
