import type { Entity } from '@backstage/catalog-model';
import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { EntityProvider } from '@backstage/plugin-catalog-react';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { FakeIdeLauncherApi } from '../__testUtils__/FakeIdeLauncherApi';
import { MOUNTED_ROUTES } from '../__testUtils__/mountedRoutes';
import { aWorkspace } from '../__testUtils__/workspaces';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { MyWorkspaces } from '../home/MyWorkspaces';
import { servicePages } from '../queries';
import { EntityWorkspacesCard } from './EntityWorkspacesCard';

const DEVFILE = 'https://git.example.org/api-gateway/devfile.yaml';

function Address() {
  return <output data-testid="address">{useLocation().pathname}</output>;
}

function renderCard(api: FakeIdeLauncherApi, card: JSX.Element) {
  renderInTestApp(
    <>
      <InPages pages={servicePages}>{card}</InPages>
      <Address />
    </>,
    {
      mountedRoutes: MOUNTED_ROUTES,
      apis: [
        [ideLauncherApiRef, api],
        failAtOnce,
        [permissionApiRef, mockApis.permission()],
      ],
    },
  );
}

function cardOf(devfile: string) {
  const entity: Entity = {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name: 'api-gateway',
      annotations: {
        'slipway.dev/devfile': devfile,
        'backstage.io/source-location':
          'url:https://git.example.org/api-gateway/',
      },
    },
  };
  return (
    <EntityProvider entity={entity}>
      <EntityWorkspacesCard />
    </EntityProvider>
  );
}

describe('EntityWorkspacesCard', () => {
  it('leads into the running workspace of the devfile', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({ workspaceId: 'workspace-1', devfileUrl: 'https://other' }),
      aWorkspace({ workspaceId: 'workspace-2', name: 'gw', status: 'Stopped' }),
      aWorkspace({ workspaceId: 'workspace-3', name: 'gw-run' }),
    ]);
    renderCard(api, cardOf('devfile.yaml'));

    expect(
      await screen.findByRole('link', { name: 'Open workspace' }),
    ).toHaveAttribute('href', '/workspaces/workspace-3/open');
    expect(screen.getByRole('link', { name: 'gw' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'api-gateway-x1y2' })).toBeNull();
  });

  it('creates a workspace where there is none', async () => {
    const api = new FakeIdeLauncherApi();
    renderCard(api, cardOf(DEVFILE));

    await userEvent.click(
      await screen.findByRole('button', { name: 'Open workspace' }),
    );
    await waitFor(() =>
      expect(screen.getByTestId('address')).toHaveTextContent(
        '/workspaces/workspace-1/open',
      ),
    );
    expect(api.created).toEqual([{ devfileUrl: DEVFILE }]);
  });

  it('starts the stopped workspace there is', async () => {
    const api = new FakeIdeLauncherApi([aWorkspace({ status: 'Stopped' })]);
    renderCard(api, cardOf(DEVFILE));

    await userEvent.click(
      await screen.findByRole('button', { name: 'Open workspace' }),
    );
    await waitFor(() => expect(api.workspaces[0].status).toBe('Starting'));
    expect(api.created).toEqual([]);
  });

  it('shows the error of an annotation without a valid address', async () => {
    renderCard(
      new FakeIdeLauncherApi(),
      cardOf('http://insecure/devfile.yaml'),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'It is: http://insecure/devfile.yaml',
    );
  });
});

describe('MyWorkspaces', () => {
  it('shows the five used last and counts the rest', async () => {
    const api = new FakeIdeLauncherApi(
      Array.from({ length: 7 }, (_, i) =>
        aWorkspace({
          workspaceId: `workspace-${i}`,
          name: `ws-${i}`,
          status: 'Stopped',
          lastUsed: `2026-11-2${i}T09:00:00.000Z`,
        }),
      ),
    );
    renderCard(api, <MyWorkspaces />);

    expect(await screen.findByRole('link', { name: 'ws-6' })).toBeVisible();
    expect(screen.queryByText('ws-1')).toBeNull();
    expect(screen.getByRole('link', { name: '2 more' })).toHaveAttribute(
      'href',
      '/workspaces',
    );
  });
});
