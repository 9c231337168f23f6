import {
  act,
  fireEvent,
  render,
  screen,
  waitFor,
} from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Combobox, Dialog, Select, TextField } from '@backstage/ui';
import { DialogForm, OpenDialog } from './DialogForm';

function renderForm(isPending: boolean) {
  const onSubmit = vi.fn();
  const onOpenChange = vi.fn();
  render(
    <Dialog isOpen onOpenChange={onOpenChange} aria-label="Create flag">
      <DialogForm
        submitLabel="Create flag"
        isPending={isPending}
        onSubmit={onSubmit}
      >
        <TextField label="Name" />
      </DialogForm>
    </Dialog>,
  );
  return { onSubmit, onOpenChange };
}

it('submits with Enter in a field and with its button', async () => {
  const { onSubmit } = renderForm(false);
  await userEvent.type(
    screen.getByRole('textbox', { name: 'Name' }),
    'x{Enter}',
  );
  expect(onSubmit).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByRole('button', { name: 'Create flag' }));
  expect(onSubmit).toHaveBeenCalledTimes(2);
});

it('cancels without submitting', async () => {
  const { onSubmit, onOpenChange } = renderForm(false);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect(onSubmit).not.toHaveBeenCalled();
});

it('does not submit again while submitting', () => {
  const { onSubmit } = renderForm(true);
  const form = screen.getByRole('textbox').closest('form');
  expect(form).not.toBeNull();
  fireEvent.submit(form!);
  expect(onSubmit).not.toHaveBeenCalled();
});

it('begins in its first field, unless another one asks for the focus', () => {
  const dialog = (asks: boolean) => (
    <OpenDialog title="Run job" onClose={() => {}}>
      <DialogForm submitLabel="Run job" isPending={false} onSubmit={() => {}}>
        <p>Queues a build.</p>
        <TextField label="Branch" />
        {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
        <TextField label="Reason" autoFocus={asks} />
      </DialogForm>
    </OpenDialog>
  );
  const { unmount } = render(dialog(false));
  expect(screen.getByRole('textbox', { name: 'Branch' })).toHaveFocus();
  unmount();
  render(dialog(true));
  expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveFocus();
});

it('begins in its first choice if there is no text to type before it', () => {
  render(
    <OpenDialog title="Move flag" onClose={() => {}}>
      <DialogForm submitLabel="Move flag" isPending={false} onSubmit={() => {}}>
        <Select label="Project" options={[{ value: 'shop', label: 'Shop' }]} />
      </DialogForm>
    </OpenDialog>,
  );
  expect(screen.getByRole('button', { name: /Project/ })).toHaveFocus();
});

it.each([
  [
    'whose first field is a combobox, whose list would open',
    <Combobox
      key="zone"
      label="Time zone"
      options={[{ value: 'UTC', label: 'UTC' }]}
    />,
  ],
  ['that only confirms an action', <p key="text">Its secret will change.</p>],
])('begins as a whole in a dialog %s', async (_, content) => {
  const onSubmit = vi.fn();
  render(
    <OpenDialog title="Rotate secret" onClose={() => {}}>
      <DialogForm submitLabel="Rotate" isPending={false} onSubmit={onSubmit}>
        {content}
      </DialogForm>
    </OpenDialog>,
  );
  expect(screen.getByRole('dialog')).toHaveFocus();
  expect(screen.queryByRole('listbox')).toBeNull();
  await userEvent.keyboard('{Enter}');
  expect(onSubmit).not.toHaveBeenCalled();
});

it('keeps a locked dialog open', async () => {
  const onClose = vi.fn();
  const dialog = (isLocked: boolean) => (
    <OpenDialog title="Create token" onClose={onClose} isLocked={isLocked}>
      <DialogForm
        submitLabel="Create token"
        isPending={isLocked}
        onSubmit={() => {}}
      >
        <TextField label="Name" />
      </DialogForm>
    </OpenDialog>
  );
  const { rerender } = render(dialog(true));
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  const close = screen.getByRole('button', { name: 'Close' });
  expect(close.matches(".slw-DialogLocked [name='close']")).toBe(true);
  await userEvent.click(close);
  await userEvent.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  rerender(dialog(false));
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

it('no longer keeps a dialog open if there is no response', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  try {
    const onClose = vi.fn();
    render(
      <OpenDialog title="Create token" onClose={onClose} isLocked>
        <DialogForm submitLabel="Create token" isPending onSubmit={() => {}}>
          <TextField label="Name" />
        </DialogForm>
      </OpenDialog>,
    );
    act(() => void vi.advanceTimersByTime(10_000));
    expect(screen.getByRole('status')).toHaveTextContent('No response yet');
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

it('does not lose what was typed to a click outside of the dialog', async () => {
  const onClose = vi.fn();
  render(
    <OpenDialog title="Create token" onClose={onClose}>
      <DialogForm
        submitLabel="Create token"
        isPending={false}
        onSubmit={() => {}}
      >
        <TextField label="Name" />
      </DialogForm>
    </OpenDialog>,
  );
  const name = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.type(name, 'shop');
  await userEvent.click(document.body);
  expect(onClose).not.toHaveBeenCalled();
  await waitFor(() => expect(name).toHaveFocus());
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

it('closes with a click outside while nothing was typed', async () => {
  const onClose = vi.fn();
  render(
    <OpenDialog title="Create token" onClose={onClose}>
      <p>Nothing to lose</p>
    </OpenDialog>,
  );
  await userEvent.click(document.body);
  expect(onClose).toHaveBeenCalledOnce();
});
