import { useState } from 'react';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ConfirmDialog } from './ConfirmDialog';

function Host({ onConfirm }: { onConfirm: () => Promise<void> }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <>
      <button onClick={() => setIsOpen(true)}>Ask again</button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="Delete api-gateway?"
        confirmLabel="Delete workspace"
        onConfirm={onConfirm}
      >
        Files that are not pushed are lost.
      </ConfirmDialog>
    </>
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
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus(),
    );

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

  it('can be closed if the action takes long, and asks the next question unaffected', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let fail = (_reason: Error) => {};
    const results = [
      () => new Promise<void>((_resolve, reject) => (fail = reject)),
      () => new Promise<void>(() => {}),
    ];
    try {
      render(<Host onConfirm={() => results.shift()!()} />);
      const confirm = () =>
        user.click(screen.getByRole('button', { name: 'Delete workspace' }));
      await confirm();
      act(() => void vi.advanceTimersByTime(10_000));
      expect(screen.getByRole('status')).toHaveTextContent(
        /No response yet.*an error would not be shown/,
      );
      await user.click(
        screen.getAllByRole('button', { name: 'Close' }).at(-1)!,
      );
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

      await user.click(screen.getByRole('button', { name: 'Ask again' }));
      await confirm();
      await act(async () => fail(new Error('It is being started')));
      expect(screen.queryByRole('alert')).toBeNull();
      expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps its words while it closes', async () => {
    vi.stubGlobal('CSSTransition', class {});
    const unfinished = [{ finished: new Promise(() => {}) }];
    Element.prototype.getAnimations = () => unfinished as never;
    try {
      const dialog = (name?: string) => (
        <ConfirmDialog
          isOpen={name !== undefined}
          onOpenChange={() => {}}
          title={`Delete ${name ?? ''}?`}
          confirmLabel="Delete"
          onConfirm={() => {}}
        >
          Files of {name ?? ''} are lost.
        </ConfirmDialog>
      );
      const { rerender } = render(dialog('shop'));
      await screen.findByRole('dialog', { name: 'Delete shop?' });
      rerender(dialog());
      expect(
        screen.getByRole('dialog', { name: 'Delete shop?' }),
      ).toHaveTextContent('Files of shop are lost.');
    } finally {
      delete (Element.prototype as Partial<Element>).getAnimations;
      vi.unstubAllGlobals();
    }
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
