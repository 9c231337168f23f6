import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { isolationAcceptPermission } from '@slipway/plugin-ide-launcher-common';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeIdeLauncherApi } from '../../__testUtils__/FakeIdeLauncherApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';
import { aWorkspace } from '../../__testUtils__/workspaces';

const running = aWorkspace({ workspaceId: 'workspace-1', name: 'shop-run1' });
const stopped = aWorkspace({
  workspaceId: 'workspace-2',
  name: 'payments-stop',
  status: 'Stopped',
  stopsAt: null,
});

function rowOf(name: string) {
  return screen.findByRole('row', { name: new RegExp(name) });
}

describe('WorkspacesPage', () => {
  it('lists workspaces, and keeps search and status in the URL', async () => {
    const api = new FakeIdeLauncherApi([running, stopped]);
    const { user, address } = renderPlugin({
      api,
      path: '/workspaces?status=Running',
    });

    const row = await rowOf('shop-run1');
    expect(within(row).getByText('Running')).toBeInTheDocument();
    expect(screen.queryByText('payments-stop')).not.toBeInTheDocument();
    expect(screen.getByText('1 of 2 workspaces')).toBeInTheDocument();
    const open = within(row).getByRole('link', {
      name: 'Open IDE of shop-run1 in a new tab',
    });
    expect(open).toHaveAttribute('href', '/workspaces/workspace-1/open');
    expect(open).toHaveAttribute('target', '_blank');

    await user.click(screen.getByRole('button', { name: 'Clear' }));
    await rowOf('payments-stop');
    await user.type(screen.getByRole('searchbox'), 'nothing like it');
    expect(await screen.findByText('No matching workspaces')).toBeVisible();
    expect(address()).toBe('/workspaces?q=nothing+like+it');
  });

  it('updates on a signal without a reload, and announces the change', async () => {
    const api = new FakeIdeLauncherApi([running]);
    const { signals } = renderPlugin({ api, path: '/workspaces' });
    await rowOf('shop-run1');

    api.change('workspace-1', { status: 'Stopping', stopsAt: null });
    signals.send({ type: 'changed', workspaceId: 'workspace-1' });

    expect(
      await within(await rowOf('shop-run1')).findByText('Stopping'),
    ).toBeVisible();
    expect(screen.getByText('shop-run1: Stopping')).toBeInTheDocument();

    // No signal for the rest: what changes is also polled.
    api.change('workspace-1', { status: 'Stopped' });
    await waitFor(() =>
      expect(screen.getByText('shop-run1: Stopped')).toBeInTheDocument(),
    );
  });

  it('starts a workspace, and shows a rejection', async () => {
    const api = new FakeIdeLauncherApi([stopped]);
    const { user } = renderPlugin({ api, path: '/workspaces' });
    const start = await screen.findByRole('button', {
      name: 'Start payments-stop',
    });

    await api.refuseNext('startWorkspace', {
      status: 403,
      error: 'You have 5 of at most 5 running workspaces',
    });
    await user.click(start);
    expect(
      await screen.findByText("Couldn't start payments-stop"),
    ).toBeInTheDocument();
    expect(
      screen.getByText('You have 5 of at most 5 running workspaces'),
    ).toBeInTheDocument();

    await user.click(start);
    const row = await rowOf('payments-stop');
    expect(await within(row).findByText('Starting')).toBeVisible();
  });

  it('keeps the order of its rows when one is started, with new ones on top', async () => {
    const older = aWorkspace({
      workspaceId: 'workspace-3',
      name: 'search-stop',
      status: 'Stopped',
      stopsAt: null,
      lastUsed: '2026-11-20T09:00:00.000Z',
    });
    const api = new FakeIdeLauncherApi([running, stopped, older]);
    const { user, signals, go } = renderPlugin({ api, path: '/workspaces' });
    const names = () =>
      screen
        .getAllByRole('row')
        .slice(1)
        .map(row => /shop|payments|search|later/.exec(row.textContent!)?.[0]);
    await user.click(
      await screen.findByRole('button', { name: 'Start search-stop' }),
    );
    const row = await rowOf('search-stop');
    expect(await within(row).findByText('Starting')).toBeVisible();
    expect(names()).toEqual(['shop', 'payments', 'search']);

    api.workspaces = [
      ...api.workspaces,
      { ...older, workspaceId: 'workspace-4', name: 'later-stop' },
    ];
    signals.send({ type: 'changed', workspaceId: 'workspace-4' });
    await rowOf('later-stop');
    expect(names()).toEqual(['later', 'shop', 'payments', 'search']);

    // Another view is sorted again.
    await go('/workspaces?q=stop');
    await waitFor(() =>
      expect(names()).toEqual(['search', 'payments', 'later']),
    );
  });

  it('reports a rejection though the row has left the list', async () => {
    const api = new FakeIdeLauncherApi([running]);
    let refuse = (_error: Error) => {};
    api.stopWorkspace = () =>
      new Promise((_resolve, reject) => {
        refuse = reject;
      });
    const { user, go } = renderPlugin({ api, path: '/workspaces' });
    await user.click(
      await screen.findByRole('button', { name: 'Actions for shop-run1' }),
    );
    await user.click(await screen.findByRole('menuitem', { name: 'Stop' }));
    await go('/workspaces?status=Stopped');
    await screen.findByText('No matching workspaces');
    refuse(new Error('It is being saved'));
    const toast = await screen.findByText("Couldn't stop shop-run1");
    await waitFor(() => expect(toast).toBeVisible());
  });

  it('deletes only after listing what is lost, and shows a rejection in the dialog', async () => {
    const api = new FakeIdeLauncherApi([running, stopped]);
    const { user } = renderPlugin({ api, path: '/workspaces' });

    const menu = await screen.findByRole('button', {
      name: 'Actions for shop-run1',
    });
    const ask = async () => {
      await user.click(menu);
      await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
      return screen.findByRole('dialog', { name: 'Delete shop-run1?' });
    };
    await ask();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(menu).toHaveFocus());

    const dialog = await ask();
    expect(dialog).toHaveTextContent('uncommitted changes');
    expect(dialog).toHaveTextContent('It is running');
    expect(api.workspaces).toHaveLength(2);

    await api.refuseNext('deleteWorkspace', { status: 502, error: '' });
    const confirm = within(dialog).getByRole('button', {
      name: 'Delete workspace',
    });
    await user.click(confirm);
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      'The workspace service is not responding',
    );

    await user.click(confirm);
    await waitFor(() =>
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument(),
    );
    expect(api.workspaces.map(w => w.name)).toEqual(['payments-stop']);
    expect(screen.queryByText('shop-run1')).not.toBeInTheDocument();
  });

  it('deletes several workspaces after naming them', async () => {
    const api = new FakeIdeLauncherApi([running, stopped]);
    const { user } = renderPlugin({ api, path: '/workspaces' });
    await user.click(
      await screen.findByRole('checkbox', { name: 'Select all' }),
    );
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog', {
      name: 'Delete 2 workspaces?',
    });
    expect(dialog).toHaveTextContent(
      /shop-run1 and payments-stop|payments-stop and shop-run1/,
    );
    await user.click(
      within(dialog).getByRole('button', { name: 'Delete workspaces' }),
    );
    expect(await screen.findByText('2 workspaces deleted')).toBeInTheDocument();
    expect(await screen.findByText('No workspaces yet')).toBeVisible();
  });

  it('offers the next step where there is nothing yet', async () => {
    const { user, address } = renderPlugin({
      api: new FakeIdeLauncherApi(),
      path: '/workspaces',
    });
    expect(await screen.findByText('No workspaces yet')).toBeVisible();

    await user.click(
      await screen.findByRole('button', { name: 'Node.js service' }),
    );
    expect(
      await screen.findByRole('dialog', { name: 'Create workspace' }),
    ).toBeVisible();
    expect(address()).toContain('devfileUrl=https%3A%2F%2Fgit.example.org');
  });

  it('shows an error if the list cannot be read, and retries', async () => {
    const api = new FakeIdeLauncherApi([running]);
    await api.refuseNext('listWorkspaces', {
      status: 500,
      error: 'The database is gone',
    });
    const { user } = renderPlugin({ api, path: '/workspaces' });

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent("Couldn't load workspaces");
    expect(alert).toHaveTextContent('The database is gone');
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await rowOf('shop-run1')).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  describe('without isolation', () => {
    function unisolated(accepted: boolean) {
      const api = new FakeIdeLauncherApi([stopped]);
      const { runtime } = api.options;
      api.options = {
        ...api.options,
        runtime: {
          ...runtime,
          isolation: {
            ...runtime.isolation,
            kind: 'none',
            gaps: ['bubblewrap is not installed.'],
            acceptance: { accepted, acceptedBy: null, acceptedAt: null },
          },
        },
      };
      return api;
    }

    it('warns, and requires an admin to accept it before anything starts', async () => {
      const api = unisolated(false);
      const { user } = renderPlugin({ api, path: '/workspaces' });
      expect(
        await screen.findByText('Workspaces run without isolation'),
      ).toBeVisible();
      expect(
        screen.getByText(
          /bubblewrap is not installed.*Workspaces cannot start until/,
        ),
      ).toBeVisible();

      await user.click(
        screen.getByRole('button', { name: 'Create workspace' }),
      );
      const dialog = within(await screen.findByRole('dialog'));
      expect(
        dialog.getByText('Workspaces run without isolation'),
      ).toBeVisible();
      expect(
        dialog.getByRole('button', { name: 'Create workspace' }),
      ).toBeDisabled();
      await user.click(
        dialog.getByRole('button', { name: 'Accept for everyone' }),
      );
      expect(
        await dialog.findByText(/Accepted by user:default\/ada/),
      ).toBeVisible();
      await waitFor(() =>
        expect(
          dialog.getByRole('button', { name: 'Create workspace' }),
        ).toBeEnabled(),
      );
    });

    it('shows other users who can accept it, and that the configuration may accept it', async () => {
      renderPlugin({
        api: unisolated(false),
        path: '/workspaces',
        permissions: {
          authorize: ({ permission }) =>
            permission.name === isolationAcceptPermission.name
              ? AuthorizeResult.DENY
              : AuthorizeResult.ALLOW,
        },
      });
      expect(await screen.findByText(/until a platform admin/)).toBeVisible();
      expect(
        screen.queryByRole('button', { name: 'Accept for everyone' }),
      ).not.toBeInTheDocument();
    });

    it('stays, where the configuration accepts it', async () => {
      renderPlugin({ api: unisolated(true), path: '/workspaces' });
      expect(
        await screen.findByText(/Accepted in the configuration/),
      ).toBeVisible();
    });
  });
});
