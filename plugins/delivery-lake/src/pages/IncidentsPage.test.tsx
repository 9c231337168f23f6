import { screen, waitFor, within } from '@testing-library/react';
import { FakeDeliveryLakeApi } from '../__testUtils__/FakeDeliveryLakeApi';
import { aChange, aDeployment, anIncident } from '../__testUtils__/records';
import { renderPlugin } from '../__testUtils__/renderPlugin';

describe('IncidentsPage', () => {
  it('shows open incidents and the deployments they are attributed to', async () => {
    const api = new FakeDeliveryLakeApi();
    api.incidents = [
      anIncident({
        id: 'incident-2',
        title: 'Search is slow',
        resolvedAt: null,
      }),
      anIncident({
        deployment: {
          id: 'deploy-7',
          version: '1.4.2',
          endTime: '2026-11-20T09:04:00.000Z',
          guessed: true,
        },
      }),
    ];
    const { user, address } = renderPlugin({
      api,
      path: '/delivery/incidents',
    });
    const grid = await screen.findByRole('grid', { name: 'Incidents' });
    const [, open, resolved] = within(grid).getAllByRole('row');
    expect(open).toHaveTextContent(
      /Search is slow.*Open.*Preceding deployments/,
    );
    expect(resolved).toHaveTextContent(/Resolved.*checkout 1.4.2\(guess\)/);
    expect(
      within(resolved).getByRole('link', { name: 'checkout 1.4.2' }),
    ).toHaveAttribute('href', '/delivery/deployments/deploy-7');

    await user.click(screen.getByRole('button', { name: /State/ }));
    await user.click(screen.getByRole('option', { name: 'Open' }));
    await waitFor(() =>
      expect(within(grid).getAllByRole('rowheader')).toHaveLength(1),
    );
    expect(address()).toBe('/delivery/incidents?open=true');
  });

  it('opens an incident at its own URL, with what led to it and what resolved it', async () => {
    const api = new FakeDeliveryLakeApi();
    api.incidents = [
      anIncident({
        url: 'https://pager.example.org/7',
        deployment: {
          id: 'deploy-2',
          version: '1.4.2',
          endTime: '2026-11-20T09:04:00.000Z',
          guessed: true,
        },
      }),
    ];
    const deployment = (id: string, version: string, endTime: string) =>
      aDeployment({ id, version, startTime: endTime, endTime });
    api.deployments = [
      deployment('deploy-4', '1.4.4', '2026-11-20T12:00:00.000Z'),
      deployment('deploy-3', '1.4.3', '2026-11-20T11:30:00.000Z'),
      {
        ...deployment('deploy-2', '1.4.2', '2026-11-20T09:04:00.000Z'),
        failed: true,
        failureCause: 'guess',
      },
      deployment('deploy-1', '1.4.1', '2026-11-19T09:04:00.000Z'),
      deployment('deploy-0', '1.4.0', '2026-11-10T09:04:00.000Z'),
    ];
    api.changes = [aChange({ message: 'Wait longer for the bank' })];
    const { user, address } = renderPlugin({
      api,
      path: '/delivery/incidents?environment=prod',
    });
    await user.click(
      await screen.findByRole('link', { name: 'Payments time out' }),
    );
    expect(address()).toBe('/delivery/incidents/incident-1?environment=prod');
    const panel = within(
      await screen.findByRole('complementary', { name: 'Payments time out' }),
    );
    await waitFor(() =>
      expect(document.title).toMatch(/^Payments time out \| Incidents \|/),
    );
    const row = screen.getByRole('row', { name: /Payments time out/ });
    expect(row).toHaveAttribute('aria-selected', 'true');
    expect(
      await panel.findByRole('link', { name: /Open at source/ }),
    ).toHaveAttribute('href', 'https://pager.example.org/7');

    expect(
      await panel.findByRole('heading', { name: 'Changes in checkout 1.4.3' }),
    ).toBeVisible();
    expect(await panel.findByText(/Wait longer for the bank/)).toBeVisible();
    await waitFor(() => {
      const items = panel.getAllByRole('listitem');
      expect(items.map(({ textContent }) => textContent)).toEqual([
        expect.stringMatching(/checkout 1.4.2.*Cause \(guess\).*Failed: inc/),
        expect.stringMatching(/checkout 1.4.1/),
        expect.stringMatching(/checkout 1.4.3.*Resolved it \(guess\)/),
        expect.stringMatching(/Wait longer for the bank/),
      ]);
    });

    await user.keyboard('{Escape}');
    expect(address()).toBe('/delivery/incidents?environment=prod');
  });

  it('names a cause that was deployed long before', async () => {
    const api = new FakeDeliveryLakeApi();
    api.incidents = [
      anIncident({
        resolvedAt: null,
        deployment: {
          id: 'deploy-2',
          version: '1.2.0',
          endTime: '2026-10-01T09:04:00.000Z',
          guessed: false,
        },
      }),
    ];
    renderPlugin({ api, path: '/delivery/incidents/incident-1' });
    const panel = within(
      await screen.findByRole('complementary', { name: 'Payments time out' }),
    );
    expect(
      await panel.findByRole('link', { name: 'checkout 1.2.0' }),
    ).toHaveAttribute('href', '/delivery/deployments/deploy-2');
    expect(
      panel.getByRole('heading', { name: 'Deployments since the start' }),
    ).toBeVisible();
    expect(panel.getByText('Not yet')).toBeVisible();
  });

  it('shows that an incident does not exist, next to the list', async () => {
    const api = new FakeDeliveryLakeApi();
    api.incidents = [anIncident()];
    renderPlugin({ api, path: '/delivery/incidents/incident-9' });
    expect(await screen.findByText('Incident not found')).toBeVisible();
    expect(screen.getByRole('grid', { name: 'Incidents' })).toBeVisible();
  });
});
