import { screen, waitFor, within } from '@testing-library/react';
import { FakeDeliveryLakeApi } from '../__testUtils__/FakeDeliveryLakeApi';
import { aChange, aDeployment, anIncident } from '../__testUtils__/records';
import { renderPlugin } from '../__testUtils__/renderPlugin';

function apiWithDeployments() {
  const api = new FakeDeliveryLakeApi();
  api.deployments = [
    aDeployment({ id: 'deploy-3', version: '1.4.3' }),
    aDeployment({
      id: 'deploy-2',
      version: '1.4.2',
      failed: true,
      failureCause: 'guess',
      incidents: [
        { id: 'incident-1', title: 'Payments time out', guessed: true },
      ],
    }),
    aDeployment({ id: 'deploy-1', version: '1.4.1', environment: 'staging' }),
  ];
  api.changes = [
    aChange(),
    aChange({ sha: 'b'.repeat(40), message: 'Fix', leadTimeSeconds: null }),
  ];
  return api;
}

describe('DeploymentsPage', () => {
  it('loads page by page and marks what failed, and how that is known', async () => {
    const { user } = renderPlugin({
      api: apiWithDeployments(),
      path: '/delivery/deployments',
    });
    const grid = await screen.findByRole('grid', { name: 'Deployments' });
    expect(within(grid).getAllByRole('rowheader')).toHaveLength(2);
    expect(grid).toHaveTextContent('Failed: incident soon after (guess)');

    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() =>
      expect(within(grid).getAllByRole('rowheader')).toHaveLength(3),
    );
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  it('shows that author and time of a change are hidden from others', async () => {
    const api = apiWithDeployments();
    api.changes = [
      aChange({ author: null, committedAt: null, leadTimeSeconds: null }),
    ];
    renderPlugin({ api, path: '/delivery/deployments/deploy-2' });
    const panel = await screen.findByRole('complementary', {
      name: 'checkout 1.4.2',
    });
    expect(panel).toHaveTextContent('5f2d9c1 Say what is in the basket');
    expect(panel).toHaveTextContent(
      'Authors and times are shown only to the team that owns the service.',
    );
    expect(panel).not.toHaveTextContent('ada · ');
    expect(panel).not.toHaveTextContent('No lead time');
  });

  it('says why a failed deployment has no changes', async () => {
    const api = apiWithDeployments();
    api.changes = [];
    api.deployments = [aDeployment({ id: 'deploy-9', status: 'FAILURE' })];
    renderPlugin({ api, path: '/delivery/deployments/deploy-9' });
    expect(
      await screen.findByText(/A failed deployment delivers no changes/),
    ).toBeVisible();
  });

  it('shows the titles that services have in the catalog', async () => {
    const { user } = renderPlugin({
      api: apiWithDeployments(),
      path: '/delivery/deployments?columns=service%2Cversion',
      titles: { 'component:default/checkout': 'Checkout of the shop' },
    });
    const [title] = await screen.findAllByRole('link', {
      name: 'Checkout of the shop',
    });
    await user.click(title);
    const panel = await screen.findByRole('complementary', {
      name: /^Checkout of the shop 1/,
    });
    expect(
      await within(panel).findByText('Checkout of the shop'),
    ).toBeVisible();
  });

  it('opens a deployment at its own URL, and returns on Escape', async () => {
    const { user, address } = renderPlugin({
      api: apiWithDeployments(),
      path: '/delivery/deployments?failed=true&columns=service%2Cversion',
    });
    await user.click(await screen.findByRole('link', { name: 'checkout' }));
    expect(address()).toBe(
      '/delivery/deployments/deploy-2?failed=true&columns=service%2Cversion',
    );

    const panel = await screen.findByRole('complementary', {
      name: 'checkout 1.4.2',
    });
    expect(panel).toHaveTextContent('Payments time outguessed from timing');
    expect(within(panel).getByText('Repository')).toBeInTheDocument();
    expect(panel).toHaveTextContent(
      '5f2d9c1 Say what is in the basketada · Lead time 5 h',
    );
    expect(panel).toHaveTextContent('bbbbbbb Fixada · No lead time');

    await user.keyboard('{Escape}');
    expect(address()).toBe(
      '/delivery/deployments?failed=true&columns=service%2Cversion',
    );
  });

  it('lists incidents of unknown cause after a deployment, as their panels list it as a possible cause', async () => {
    const api = new FakeDeliveryLakeApi();
    const at = (time: string) => ({ startedAt: `2026-11-20T${time}:00.000Z` });
    const endTime = at('09:10').startedAt;
    api.deployments = [
      aDeployment({
        id: 'deploy-4',
        endTime,
        status: 'FAILURE',
        counted: false,
      }),
    ];
    api.incidents = [
      anIncident({ id: 'incident-3', title: 'Charged twice', ...at('09:19') }),
      anIncident({ id: 'incident-2', title: 'Open before', ...at('08:00') }),
      anIncident({
        ...{ id: 'incident-1', title: 'Of another', ...at('09:30') },
        deployment: { id: 'deploy-1', version: '1.0', endTime, guessed: true },
      }),
    ];
    renderPlugin({ api, path: '/delivery/deployments/deploy-4' });
    const panel = await screen.findByRole('complementary');
    expect(
      await within(panel).findByRole('link', { name: 'Charged twice' }),
    ).toHaveAttribute(
      'href',
      expect.stringContaining('/delivery/incidents/incident-3'),
    );
    expect(panel).toHaveTextContent('None is known to be caused by it.');
    for (const text of ['No incidents.', 'Open before', 'Of another']) {
      expect(panel).not.toHaveTextContent(text);
    }
    expect(
      api.asked.find(({ method }) => method === 'listIncidents')?.query,
    ).toMatchObject({
      service: 'component:default/checkout',
      environment: 'prod',
      startDate: '2026-11-20T09:10:00.000Z',
      endDate: '2026-11-27T09:10:00.001Z',
    });
  });

  it('searches the version before a deployment among those that had finished when it began', async () => {
    const api = apiWithDeployments();
    renderPlugin({ api, path: '/delivery/deployments/deploy-2' });
    await screen.findByRole('complementary', { name: 'checkout 1.4.2' });
    const { startTime } = api.deployments[1];
    await waitFor(() =>
      expect(api.asked.map(({ query }) => query)).toContainEqual(
        expect.objectContaining({
          service: 'component:default/checkout',
          status: 'SUCCESS',
          endDate: startTime.replace('.000Z', '.001Z'),
        }),
      ),
    );
  });

  it('says that there are no incidents, where none began after it either', async () => {
    renderPlugin({
      api: apiWithDeployments(),
      path: '/delivery/deployments/deploy-3',
    });
    expect(await screen.findByText('No incidents.')).toBeVisible();
  });

  it('shows that a deployment does not exist, next to the list', async () => {
    renderPlugin({
      api: apiWithDeployments(),
      path: '/delivery/deployments/deploy-9',
    });
    expect(await screen.findByText('Deployment not found')).toBeVisible();
  });

  it('exports the displayed records', async () => {
    const saved: string[] = [];
    const click = vi
      .spyOn(HTMLAnchorElement.prototype, 'click')
      .mockImplementation(function save(this: HTMLAnchorElement) {
        saved.push(this.download);
      });
    URL.createObjectURL = () => 'blob:file';
    URL.revokeObjectURL = () => undefined;
    const api = apiWithDeployments();
    const { user } = renderPlugin({
      api,
      path: '/delivery/deployments?scope=service:checkout&period=2026-11-01..2026-11-21&failed=true',
    });
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
    await waitFor(() =>
      expect(saved).toEqual(['deployments-2026-11-01-to-2026-11-21.csv']),
    );
    expect(api.asked.at(-1)).toMatchObject({
      method: 'exportDeployments',
      query: {
        service: 'checkout',
        startDate: '2026-11-01',
        endDate: '2026-11-21',
        failed: true,
      },
    });
    click.mockRestore();
  });
});
