import { screen, waitFor, within } from '@testing-library/react';
import { FakeDeliveryLakeApi } from '../__testUtils__/FakeDeliveryLakeApi';
import { anIncident } from '../__testUtils__/records';
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
    expect(open).toHaveTextContent(/Search is slow.*Open.*Deployments before/);
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
});
