import { renderInTestApp } from '@backstage/frontend-test-utils';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CreateCredentialDialog } from './CreateCredentialDialog';
import { CredentialTable } from './CredentialTable';

describe('CreateCredentialDialog', () => {
  function open(onCreate: (wanted: object) => Promise<string>) {
    const onClose = vi.fn();
    render(
      <CreateCredentialDialog
        onClose={onClose}
        kinds={[
          { id: 'client', label: 'Client' },
          { id: 'admin', label: 'Admin' },
        ]}
        onCreate={onCreate}
        renderFailure={error => <p role="alert">{String(error)}</p>}
        texts={{
          create: 'Create token',
          name: 'Name',
          nameMissing: 'Enter who will use the token',
          kind: 'Type',
          madeTitle: name => `Token for ${name}`,
          madeText: 'Shown this once',
          copy: 'Copy token',
          done: 'Done',
        }}
      />,
    );
    return { onClose };
  }
  const press = (name: string) =>
    userEvent.click(screen.getByRole('button', { name }));

  it('creates the credential, and shows its secret until the dialog is closed', async () => {
    const onCreate = vi.fn(async () => 'the-secret');
    const { onClose } = open(onCreate);
    const name = screen.getByRole('textbox', { name: 'Name' });
    await waitFor(() => expect(name).toHaveFocus());
    await userEvent.keyboard('  shop ');
    await userEvent.click(screen.getByRole('radio', { name: 'Admin' }));
    await press('Create token');
    expect(onCreate).toHaveBeenCalledWith({ name: 'shop', kind: 'admin' });
    expect(
      await screen.findByRole('dialog', { name: 'Token for shop' }),
    ).toHaveTextContent('the-secret');
    // Clicks outside the dialog, where a slip would lose the secret.
    await userEvent.click(document.body);
    expect(onClose).not.toHaveBeenCalled();
    await press('Done');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('requires a name', async () => {
    const onCreate = vi.fn(async () => 'the-secret');
    open(onCreate);
    await press('Create token');
    expect(
      await screen.findByText('Enter who will use the token'),
    ).toBeVisible();
    await userEvent.type(screen.getByRole('textbox'), '   ');
    await press('Create token');
    expect(onCreate).not.toHaveBeenCalled();
  });

  it('keeps the input after a failure, and succeeds on retry', async () => {
    const answers = [
      () => Promise.reject('Nobody there'),
      async () => 'secret',
    ];
    open(() => answers.shift()!());
    await userEvent.keyboard('shop{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Nobody there');
    expect(screen.getByRole('textbox')).toHaveValue('shop');
    await press('Create token');
    expect(await screen.findByText('secret')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('stays open until the secret has arrived', async () => {
    let arrive = (_secret: string) => {};
    const secret = new Promise<string>(resolve => {
      arrive = resolve;
    });
    const { onClose } = open(() => secret);
    await userEvent.keyboard('shop{Enter}');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(document.body);
    expect(onClose).not.toHaveBeenCalled();
    arrive('the-secret');
    expect(await screen.findByText('the-secret')).toBeVisible();
  });

  it('closes without creating anything', async () => {
    const onCreate = vi.fn(async () => 'the-secret');
    const { onClose } = open(onCreate);
    await press('Cancel');
    expect(onClose).toHaveBeenCalledOnce();
    expect(onCreate).not.toHaveBeenCalled();
  });
});

describe('CredentialTable', () => {
  it('asks for confirmation, and only offers revocable credentials', async () => {
    const onRevoke = vi.fn(async () => {});
    renderInTestApp(
      <CredentialTable
        credentials={[
          { id: '1', name: 'shop' },
          { id: '2', name: 'configured' },
        ]}
        columns={[{ id: 'kind', label: 'Type', cell: () => 'Client' }]}
        mayRevoke={({ id }) => id === '1'}
        onRevoke={onRevoke}
        texts={{
          label: 'Tokens',
          name: 'Name',
          revoke: 'Delete',
          revokeNamed: name => `Delete token ${name}`,
          revokeTitle: name => `Delete token for ${name}?`,
          revokeConfirm: 'Delete token',
          revokeText: 'It is refused from then on.',
        }}
      />,
    );
    await screen.findByRole('grid');
    expect(
      screen.getAllByRole('columnheader').map(each => each.textContent),
    ).toEqual(['Name', 'Type', 'Delete']);
    expect(screen.getAllByRole('button', { name: /^Delete/ })).toHaveLength(1);
    await userEvent.click(
      screen.getByRole('button', { name: 'Delete token shop' }),
    );
    expect(
      await screen.findByRole('dialog', { name: 'Delete token for shop?' }),
    ).toHaveTextContent('It is refused from then on.');
    expect(onRevoke).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Delete token' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onRevoke).toHaveBeenCalledWith({ id: '1', name: 'shop' });
  });
});
