import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Dialog, TextField } from '@backstage/ui';
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
