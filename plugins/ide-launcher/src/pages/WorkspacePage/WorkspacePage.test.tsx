import { screen, waitFor, within } from '@testing-library/react';
import { FakeIdeLauncherApi } from '../../__testUtils__/FakeIdeLauncherApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';
import { anEndpoint, aWorkspace } from '../../__testUtils__/workspaces';

const PATH = '/workspaces/workspace-1';

describe('WorkspacePage', () => {
  it('shows endpoints, commands, warnings and when the workspace stops', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({
        endpoints: [
          anEndpoint({ listening: true }),
          anEndpoint({
            name: 'debug',
            targetPort: 9229,
            protocol: 'tcp',
            exposure: 'none',
            url: null,
          }),
        ],
        commands: [
          {
            id: 'test',
            label: 'Run the tests',
            kind: 'exec',
            group: 'test',
            commandLine: 'npm test',
          },
        ],
        warnings: ['The image of tools is not run'],
        devfileUrl: 'https://git.example.org/acme/shop/-/tree/next',
        repositoryUrl: 'https://git.example.org/acme/shop/-/tree/next',
        revision: 'fix/login',
        starterProject: 'hello',
      }),
    ]);
    const { user } = renderPlugin({ api, path: PATH });

    expect(
      await screen.findByRole('heading', { name: 'api-gateway-x1y2' }),
    ).toBeVisible();
    expect(
      screen.getByRole('link', { name: 'Open web in a new tab' }),
    ).toHaveAttribute('href', 'http://localhost:7010/w/workspace-1--3000/');
    expect(screen.queryByRole('link', { name: /debug/ })).toBeNull();
    expect(screen.getByText('Not listening yet')).toBeVisible();
    expect(screen.getByText('npm test')).toBeInTheDocument();
    expect(screen.getByText('The image of tools is not run')).toBeVisible();
    expect(
      screen.getByRole('link', { name: /git\.example\.org\/acme\/shop/ }),
    ).toHaveAttribute('href', 'https://git.example.org/acme/shop/-/tree/next');
    expect(screen.getByText('Default')).toBeVisible();
    expect(screen.getByText('fix/login')).toBeVisible();
    expect(screen.getByText('hello')).toBeVisible();

    const before = screen.getByText(/Stops at .* if unused/).textContent;
    await user.click(
      screen.getByRole('button', { name: 'Extend api-gateway-x1y2' }),
    );
    await waitFor(() =>
      expect(
        screen.getAllByText(/Stops at .* if unused/)[0].textContent,
      ).not.toBe(before),
    );
  });

  it('shows how a workspace is isolated, and what is not', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({
        isolation: {
          kind: 'bubblewrap',
          network: 'shared',
          limits: { memoryMebibytes: 4096, processes: 1024, openFiles: 65536 },
          gaps: ['Programs of the workspace reach every port of this machine.'],
        },
      }),
    ]);
    renderPlugin({ api, path: PATH });
    expect(
      await screen.findByText(
        /Sandbox, host's network, 4096 MiB memory, 1024 processes/,
      ),
    ).toBeInTheDocument();
    expect(
      screen.getByText(/reach every port of this machine/),
    ).toBeInTheDocument();
  });

  it('warns of the deletion of an unused workspace', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({
        status: 'Stopped',
        stopsAt: null,
        deletesAt: '2026-12-24T12:00:00.000Z',
      }),
    ]);
    renderPlugin({ api, path: PATH });
    expect(
      await screen.findByText(
        /^Unused: it will be deleted with its files after 24 December 2026/,
      ),
    ).toBeVisible();
    expect(screen.getByText('Start it to keep it.')).toBeVisible();
  });

  it('says where an imported workspace comes from, and that it may have to be started', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({
        status: 'Stopped',
        stopsAt: null,
        startedAt: null,
        statusMessage: 'Moved from Gitpod',
        importedFrom: 'gitpod',
        deletesAt: '2026-12-24T12:00:00.000Z',
      }),
    ]);
    renderPlugin({ api, path: PATH });
    expect(await screen.findByText('Moved from Gitpod')).toBeVisible();
    expect(screen.getByText('Imported from')).toBeVisible();
    expect(screen.getByText('gitpod')).toBeVisible();
    expect(
      screen.getByText('Unused: it will be deleted after 24 December 2026'),
    ).toBeVisible();
  });

  it('follows a start: steps, log and the way into the IDE', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({
        status: 'Starting',
        stopsAt: null,
        steps: [
          {
            id: 'clone',
            title: 'Clone api-gateway',
            state: 'running',
            progress: 0.4,
            message: '40 of 100 objects',
            startedAt: '2026-11-21T09:00:00.000Z',
            endedAt: null,
          },
        ],
      }),
    ]);
    api.logLines = [
      {
        seq: 1,
        at: '2026-11-21T09:00:00.000Z',
        source: 'slipway',
        text: 'one',
      },
    ];
    const { signals } = renderPlugin({ api, path: PATH });

    const steps = await screen.findByRole('list', {
      name: 'Start of api-gateway-x1y2',
    });
    expect(steps).toHaveTextContent('40 of 100 objects');
    const log = await screen.findByRole('log', {
      name: 'Log of api-gateway-x1y2',
    });
    expect(log).toHaveTextContent('one');

    api.logLines = [
      ...api.logLines,
      {
        seq: 2,
        at: '2026-11-21T09:00:01.000Z',
        source: 'project',
        text: 'two',
      },
    ];
    signals.send({ type: 'log', workspaceId: 'workspace-1' });
    expect(await within(log).findByText('two')).toBeInTheDocument();
    expect(within(log).getAllByText('one')).toHaveLength(1);

    api.change('workspace-1', { status: 'Running' });
    signals.send({ type: 'changed', workspaceId: 'workspace-1' });
    expect(
      await screen.findByText('api-gateway-x1y2: Running'),
    ).toBeInTheDocument();
  });

  it('shows the cause of a failure first, with a retry button', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({
        status: 'Stopped',
        failed: true,
        stopsAt: null,
        statusMessage: 'Cloning api-gateway took longer than 120 s',
      }),
    ]);
    const { user } = renderPlugin({ api, path: PATH });

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('api-gateway-x1y2 failed');
    expect(alert).toHaveTextContent('took longer than 120 s');
    await user.click(screen.getByRole('button', { name: 'Retry start' }));
    await waitFor(() => expect(api.workspaces[0].status).toBe('Starting'));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it.each(['Stopped', 'Stopping'] as const)(
    'does not promise endpoints of a workspace that is %s',
    async status => {
      const endpoint = anEndpoint({ url: null });
      const api = new FakeIdeLauncherApi([
        aWorkspace({ status, stopsAt: null, endpoints: [endpoint] }),
      ]);
      renderPlugin({ api, path: PATH });
      expect(await screen.findByText('Not running')).toBeVisible();
      expect(screen.queryByText('Not listening yet')).toBeNull();
    },
  );

  it('notices within seconds that something listens on an endpoint', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({ endpoints: [anEndpoint()] }),
    ]);
    renderPlugin({ api, path: PATH });
    expect(await screen.findByText('Not listening yet')).toBeVisible();

    api.change('workspace-1', {
      endpoints: [anEndpoint({ listening: true })],
    });
    expect(
      await screen.findByText('Listening', undefined, { timeout: 8_000 }),
    ).toBeVisible();
  }, 15_000);

  it('starts with the latest devfile, or says what is wrong with it', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({ status: 'Stopped', stopsAt: null }),
    ]);
    const { user } = renderPlugin({ api, path: PATH });
    const button = await screen.findByRole('button', {
      name: 'Start with latest devfile',
    });

    await api.refuseNext('updateDevfile', {
      status: 400,
      error: 'devfile is invalid: schemaVersion: is required',
    });
    await user.click(button);
    expect(
      await screen.findByText(
        "Couldn't start api-gateway-x1y2 with its latest devfile",
      ),
    ).toBeInTheDocument();
    expect(api.workspaces[0].status).toBe('Stopped');

    await user.click(button);
    await waitFor(() =>
      expect(api.workspaces[0]).toMatchObject({
        status: 'Starting',
        devfile: { version: '9.9.9' },
      }),
    );
  });

  it('restarts a running workspace, or says why it cannot', async () => {
    const api = new FakeIdeLauncherApi([aWorkspace()]);
    const stop = vi.spyOn(api, 'stopWorkspace');
    await api.refuseNext('startWorkspace', {
      status: 403,
      error: 'Workspaces would run without isolation',
    });
    const { user } = renderPlugin({ api, path: PATH });
    await user.click(await screen.findByRole('button', { name: 'Restart' }));
    expect(
      await screen.findByText("Couldn't restart api-gateway-x1y2"),
    ).toBeInTheDocument();

    api.change('workspace-1', { status: 'Running' });
    await user.click(await screen.findByRole('button', { name: 'Restart' }));
    await waitFor(() => expect(api.workspaces[0].status).toBe('Starting'));
    expect(stop).toHaveBeenCalledTimes(2);
    expect(screen.queryByRole('button', { name: 'Restart' })).toBeNull();
  });

  it('leads back from a workspace that does not exist', async () => {
    renderPlugin({
      api: new FakeIdeLauncherApi(),
      path: '/workspaces/workspace-9',
    });
    expect(await screen.findByText(/belongs to someone else/)).toBeVisible();
    expect(
      screen.getByRole('link', { name: 'All workspaces' }),
    ).toHaveAttribute('href', '/workspaces');
  });

  it('returns to the list once the workspace is deleted', async () => {
    const api = new FakeIdeLauncherApi([aWorkspace()]);
    const { user, address } = renderPlugin({ api, path: PATH });

    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await user.click(
      await screen.findByRole('button', { name: 'Delete workspace' }),
    );
    await waitFor(() => expect(address()).toBe('/workspaces'));
    expect(api.workspaces).toEqual([]);
  });
});
