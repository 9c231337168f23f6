import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { FakeIdeLauncherApi } from '../../__testUtils__/FakeIdeLauncherApi';
import { MOUNTED_ROUTES } from '../../__testUtils__/mountedRoutes';
import { aWorkspace } from '../../__testUtils__/workspaces';
import { ideLauncherApiRef } from '../../api/IdeLauncherApi';
import { servicePages } from '../../queries';
import { OpenPage } from './OpenPage';

function open(api: FakeIdeLauncherApi, query = '') {
  const left: string[] = [];
  renderInTestApp(
    <InPages pages={servicePages}>
      <Routes>
        <Route
          path="/workspaces/:workspaceId/open"
          element={<OpenPage leave={url => left.push(url)} />}
        />
      </Routes>
    </InPages>,
    {
      initialRouteEntries: [`/workspaces/workspace-1/open${query}`],
      mountedRoutes: MOUNTED_ROUTES,
      apis: [
        [ideLauncherApiRef, api],
        failAtOnce,
        [permissionApiRef, mockApis.permission()],
      ],
    },
  );
  return left;
}

describe('OpenPage', () => {
  beforeEach(() => sessionStorage.clear());

  it('opens the IDE with a ticket, at the location that the visitor came from', async () => {
    const api = new FakeIdeLauncherApi([aWorkspace()]);
    const left = open(api, '?return=%2F%3Ffolder%3Dsrc');

    await waitFor(() =>
      expect(left).toEqual(['http://localhost:7010/w/workspace-1/?ticket=t1']),
    );
    expect(api.ticketed).toEqual([
      { workspaceId: 'workspace-1', destination: { path: '/?folder=src' } },
    ]);
  });

  it('starts a stopped workspace and continues automatically when it runs', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({
        status: 'Stopped',
        stopsAt: null,
        statusMessage: 'Stopped after 30 minutes without use',
      }),
    ]);
    const left = open(api);

    expect(
      await screen.findByText('Stopped after 30 minutes without use'),
    ).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Start' }));
    expect(
      await screen.findByText(
        'The IDE opens automatically when api-gateway-x1y2 is running.',
      ),
    ).toBeVisible();
    expect(left).toEqual([]);

    api.change('workspace-1', { status: 'Running' });
    await waitFor(() => expect(left).toHaveLength(1));
  });

  it('lets a stopping workspace start again as soon as it has stopped', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({ status: 'Stopping', stopsAt: null }),
    ]);
    vi.spyOn(api, 'startWorkspace').mockImplementation(id =>
      api.getWorkspace(id),
    );
    const left = open(api);

    await userEvent.click(await screen.findByRole('button', { name: 'Start' }));
    expect(
      await screen.findByText(/The IDE opens automatically when/),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Start' })).toBeNull();

    // Stopped again in another tab: this page no longer waits for a start.
    const soon = { timeout: 3_000 };
    api.change('workspace-1', { status: 'Starting' });
    await screen.findByText('Starting', {}, soon);
    api.change('workspace-1', { status: 'Stopping' });
    await screen.findByRole('button', { name: 'Start' }, soon);
    api.change('workspace-1', { status: 'Running' });
    await waitFor(() => expect(left).toHaveLength(1), soon);
  }, 15_000);

  it('shows why the IDE cannot be entered, and tries again', async () => {
    const api = new FakeIdeLauncherApi([aWorkspace()]);
    await api.refuseNext('createTicket', {
      status: 409,
      error: 'api-gateway-x1y2 is stopping',
    });
    const left = open(api);

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'api-gateway-x1y2 is stopping',
    );
    expect(left).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(left).toHaveLength(1));
  });

  it('stops if the IDE keeps redirecting the tab back', async () => {
    const now = Date.now();
    sessionStorage.setItem(
      'ide-launcher.entries.workspace-1',
      [now - 3_000, now - 2_000, now - 1_000].join(','),
    );
    const left = open(new FakeIdeLauncherApi([aWorkspace()]));

    expect(
      await screen.findByText(/allow cookies for localhost:7010/),
    ).toBeVisible();
    expect(left).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Open IDE' }));
    await waitFor(() => expect(left).toHaveLength(1));
  });
});
