import { useState } from 'react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ConfirmDialog } from './ConfirmDialog';

function Host({ onConfirm }: { onConfirm: () => Promise<void> }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      title="Delete api-gateway?"
      confirmLabel="Delete workspace"
      onConfirm={onConfirm}
    >
      Files that are not pushed are lost.
    </ConfirmDialog>
  );
}

describe('ConfirmDialog', () => {
  it('explains what is lost, focuses Cancel and does nothing on Escape', async () => {
    const onConfirm = vi.fn(async () => {});
    render(<Host onConfirm={onConfirm} />);
    const dialog = await screen.findByRole('dialog', {
      name: 'Delete api-gateway?',
    });
    expect(dialog).toHaveTextContent('Files that are not pushed are lost.');
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();

    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('closes when the action is done', async () => {
    render(<Host onConfirm={async () => {}} />);
    await userEvent.click(
      await screen.findByRole('button', { name: 'Delete workspace' }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('stays open until the action is done', async () => {
    let finish = () => {};
    const finished = new Promise<void>(resolve => {
      finish = resolve;
    });
    render(<Host onConfirm={() => finished} />);
    await userEvent.click(
      await screen.findByRole('button', { name: 'Delete workspace' }),
    );
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    finish();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('stays open and shows the error if the action fails', async () => {
    render(
      <Host
        onConfirm={async () => {
          throw new Error('It is being started');
        }}
      />,
    );
    await userEvent.click(
      await screen.findByRole('button', { name: 'Delete workspace' }),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'It is being started',
    );
    expect(screen.getByRole('dialog')).toBeInTheDocument();
  });
});
