import { renderInTestApp } from '@backstage/frontend-test-utils';
import { catalogApiRef, EntityProvider } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { build, FakeBuildsApi, job } from '../__testUtils__/FakeBuildsApi';
import { buildsApiRef } from '../api/BuildsApi';
import { servicePages } from '../queries';
import { buildRouteRef } from '../routes';
import { EntityBuilds } from './EntityBuilds';

/** Renders the builds tab of a component with the job `payments`. */
function renderTab(api: FakeBuildsApi, jobs = 'payments') {
  renderInTestApp(
    <EntityProvider
      entity={{
        apiVersion: 'backstage.io/v1alpha1',
        kind: 'Component',
        metadata: {
          name: 'payments-api',
          annotations: { 'slipway.dev/build-job': jobs },
        },
      }}
    >
      <InPages pages={servicePages}>
        <EntityBuilds />
      </InPages>
    </EntityProvider>,
    {
      mountedRoutes: { '/builds/:job/:number': buildRouteRef },
      apis: [[buildsApiRef, api], failAtOnce],
    },
  );
  return userEvent.setup();
}

it('shows the builds of the job that the annotation names', async () => {
  const api = new FakeBuildsApi();
  api.jobs = [
    job('payments', [build(7, { result: 'FAILURE' }), build(6)]),
    job('shop', [build(9)]),
  ];
  renderTab(api);
  const history = await screen.findByRole('grid', { name: 'History' });
  expect(within(history).getByRole('link', { name: '#7' })).toHaveAttribute(
    'href',
    '/builds/payments/7',
  );
  expect(within(history).getByText('Failed')).toBeInTheDocument();
  expect(within(history).queryByText('#9')).not.toBeInTheDocument();
});

it('shows the builds of each of several jobs', async () => {
  const api = new FakeBuildsApi();
  api.jobs = [job('payments', [build(7)]), job('shop', [build(9)])];
  const user = renderTab(api, 'payments, shop');
  const shop = await screen.findByRole('region', { name: 'shop' });
  expect(await within(shop).findByRole('link', { name: '#9' })).toBeVisible();
  const payments = screen.getByRole('region', { name: 'payments' });
  expect(
    await within(payments).findByRole('link', { name: '#7' }),
  ).toBeVisible();
  await user.type(within(payments).getByRole('searchbox'), 'nothing');
  expect(within(payments).queryByRole('link', { name: '#7' })).toBeNull();
  expect(within(shop).getByRole('link', { name: '#9' })).toBeVisible();
});

it('shows the branches of a job with pipelines, and the builds of its main branch', async () => {
  const api = new FakeBuildsApi();
  const branch = (name: string, number: number) => ({
    ...job(name, [build(number)]),
    parent: 'payments',
  });
  api.jobs = [
    { ...job('payments', []), mainBranch: 'payments/main' },
    branch('payments/main', 7),
    branch('payments/fix', 3),
  ];
  renderTab(api);
  const history = await screen.findByRole('grid', { name: 'History' });
  expect(within(history).getByRole('link', { name: '#7' })).toHaveAttribute(
    'href',
    '/builds/payments%2Fmain/7',
  );
  const branches = await screen.findByRole('grid', { name: /Branches/ });
  expect(within(branches).getByRole('link', { name: 'fix' })).toBeVisible();
});

it('names the job that does not exist', async () => {
  renderTab(new FakeBuildsApi());
  expect(await screen.findByText('Job not found')).toBeInTheDocument();
  expect(screen.getByText(/refers to payments/)).toBeInTheDocument();
});

it('shows that the build server is not responding, and recovers', async () => {
  const api = new FakeBuildsApi();
  api.jobs = [job('payments', [build(1)])];
  api.failing = 502;
  const user = renderTab(api);
  expect(
    await screen.findByText('The build server is not responding'),
  ).toBeInTheDocument();
  api.failing = undefined;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(
    await screen.findByRole('grid', { name: 'History' }),
  ).toBeInTheDocument();
});

const SYSTEM = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'System',
  metadata: { name: 'market' },
};

/** Renders the builds tab of a system with components that have these jobs. */
function renderSystem(api: FakeBuildsApi, jobs: Record<string, string>) {
  const entities = Object.entries(jobs).map(([name, annotation]) => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name,
      namespace: 'default',
      annotations: { 'slipway.dev/build-job': annotation },
    },
    relations: [{ type: 'partOf', targetRef: 'system:default/market' }],
  }));
  renderInTestApp(
    <EntityProvider entity={SYSTEM}>
      <InPages pages={servicePages}>
        <EntityBuilds />
      </InPages>
    </EntityProvider>,
    {
      mountedRoutes: { '/builds/:job/:number': buildRouteRef },
      apis: [
        [buildsApiRef, api],
        [catalogApiRef, catalogApiMock({ entities })],
        failAtOnce,
      ],
    },
  );
}

it('lists the jobs of all components of a system, with their branches', async () => {
  const api = new FakeBuildsApi();
  api.jobs = [
    job('payments', []),
    { ...job('payments/main', [build(7)]), parent: 'payments' },
    job('shop', [build(9)]),
    job('other', [build(1)]),
  ];
  renderSystem(api, { 'payments-api': 'payments', web: 'shop' });
  const list = await screen.findByRole('grid', { name: 'Jobs' });
  const cells = within(list)
    .getAllByRole('row')
    .slice(1)
    .map(row => row.textContent);
  expect(cells).toEqual([
    expect.stringMatching(/^payments.*payments-api/),
    expect.stringMatching(/main.*payments-api/),
    expect.stringMatching(/^shop.*web/),
  ]);
});

it('explains how the jobs of a system get there', async () => {
  renderSystem(new FakeBuildsApi(), {});
  expect(await screen.findByText('No jobs yet')).toBeVisible();
  expect(screen.getByText(/slipway.dev\/build-job/)).toBeVisible();
});
