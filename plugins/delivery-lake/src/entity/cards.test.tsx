import type { Entity } from '@backstage/catalog-model';
import { identityApiRef } from '@backstage/frontend-plugin-api';
import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { EntityProvider } from '@backstage/plugin-catalog-react';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen, within } from '@testing-library/react';
import { FakeDeliveryLakeApi } from '../__testUtils__/FakeDeliveryLakeApi';
import { noData, someMetrics } from '../__testUtils__/metrics';
import { aDeployment, anIncident } from '../__testUtils__/records';
import { deliveryLakeApiRef } from '../api/DeliveryLakeApi';
import { MyDelivery } from '../home/MyDelivery';
import { recentDays, servicePages } from '../queries';
import { deploymentsRouteRef, rootRouteRef } from '../routes';
import {
  ComponentDeliveryCard,
  GroupDeliveryCard,
  VersionsCard,
} from './EntityDeliveryCard';
import { EntityDeliveryContent } from './EntityDeliveryContent';

const checkout: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'checkout' },
};
const payments: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Group',
  metadata: { name: 'payments' },
};

function renderWith(
  api: FakeDeliveryLakeApi,
  element: JSX.Element,
  options: { entity?: Entity; ownershipEntityRefs?: string[] } = {},
) {
  const { entity = checkout, ownershipEntityRefs = [] } = options;
  const inPages = (
    <EntityProvider entity={entity}>
      <InPages pages={servicePages}>{element}</InPages>
    </EntityProvider>
  );
  renderInTestApp(inPages, {
    mountedRoutes: {
      '/delivery': rootRouteRef,
      '/delivery/deployments': deploymentsRouteRef,
    },
    apis: [
      [deliveryLakeApiRef, api],
      failAtOnce,
      [
        identityApiRef,
        mockApis.identity({
          userEntityRef: 'user:default/grace',
          ownershipEntityRefs,
        }),
      ],
    ],
  });
}

describe('the card of a component', () => {
  it('queries the component by its ref, and shows its last deployment', async () => {
    const api = new FakeDeliveryLakeApi();
    api.deployments = [aDeployment()];
    renderWith(api, <ComponentDeliveryCard />);
    expect(await screen.findByText('1.4.2 prod')).toBeVisible();
    expect(screen.getByText('19 h 24 min')).toBeVisible();
    expect(screen.getByText('Last 30 days')).toBeVisible();
    expect(api.asked).toContainEqual({
      method: 'getMetrics',
      query: { service: 'component:default/checkout', ...recentDays() },
    });
  });

  it('shows that nothing was deployed instead of a low level', async () => {
    const api = new FakeDeliveryLakeApi();
    api.metrics = someMetrics({
      deploymentFrequency: noData('deploymentFrequency'),
    });
    renderWith(api, <ComponentDeliveryCard />);
    expect(
      await screen.findByText(/No deployments in the last 30 days/),
    ).toBeVisible();
    expect(screen.queryByText('Low')).toBeNull();
  });
});

describe('the card of a group', () => {
  it('queries the team by its ref', async () => {
    const api = new FakeDeliveryLakeApi();
    renderWith(api, <GroupDeliveryCard />, { entity: payments });
    expect(await screen.findByText('Lead time for changes')).toBeVisible();
    expect(api.asked).toEqual([
      {
        method: 'getMetrics',
        query: { team: 'group:default/payments', ...recentDays() },
      },
    ]);
  });
});

describe('the card with the running versions', () => {
  it('has a row for each component and a column for each environment in use', async () => {
    const api = new FakeDeliveryLakeApi();
    const shop = { service: 'shop', entityRef: 'component:default/shop' };
    api.deployments = [
      aDeployment({ ...shop, id: 'deploy-3', version: '2.1.0' }),
      aDeployment({ id: 'deploy-2', version: '1.5.0', environment: 'staging' }),
      aDeployment({ id: 'deploy-1' }),
    ];
    renderWith(api, <VersionsCard />, { entity: payments });
    const table = await screen.findByRole('grid', { name: /Running versions/ });
    const rows = within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent);
    expect(rows).toEqual([
      'Componentprodstaging',
      'checkout1.4.21.5.0',
      'shop2.1.0',
    ]);
    expect(within(table).getByRole('link', { name: '2.1.0' })).toHaveAttribute(
      'href',
      '/delivery/deployments/deploy-3?scope=team%3Agroup%3Adefault%2Fpayments',
    );
    expect(api.asked).toEqual([
      { method: 'getRunning', query: { team: 'group:default/payments' } },
    ]);
  });

  it('says that nothing was deployed', async () => {
    renderWith(new FakeDeliveryLakeApi(), <VersionsCard />, {
      entity: payments,
    });
    expect(
      await screen.findByText('None of its components has been deployed yet.'),
    ).toBeVisible();
  });
});

describe('the tab of a component', () => {
  it('shows metrics, deployments and incidents of the service', async () => {
    const api = new FakeDeliveryLakeApi();
    api.deployments = [aDeployment()];
    api.incidents = [anIncident()];
    renderWith(api, <EntityDeliveryContent />);
    expect(
      await screen.findByRole('group', { name: 'Change failure rate' }),
    ).toBeVisible();
    expect(
      await screen.findByRole('grid', { name: 'Deployments' }),
    ).toHaveTextContent('checkout1.4.2prod');
    expect(
      await screen.findByRole('grid', { name: 'Incidents' }),
    ).toHaveTextContent('Payments time out');
  });

  it('shows the names under which deployments would be found', async () => {
    renderWith(new FakeDeliveryLakeApi(), <EntityDeliveryContent />);
    expect(await screen.findByText('No deployments yet')).toBeVisible();
    expect(screen.getByText(/slipway.dev\/delivery-service/)).toBeVisible();
  });

  it('shows incidents even if nothing was deployed', async () => {
    const api = new FakeDeliveryLakeApi();
    api.incidents = [anIncident()];
    renderWith(api, <EntityDeliveryContent />);
    expect(
      await screen.findByRole('grid', { name: 'Incidents' }),
    ).toHaveTextContent('Payments time out');
    expect(screen.queryByText('No deployments yet')).toBeNull();
  });

  it.each([
    ['System', 'project', 'system:default/shop'],
    ['Group', 'team', 'group:default/shop'],
  ])('shows all components of a %s', async (kind, scope, name) => {
    const api = new FakeDeliveryLakeApi();
    api.deployments = [aDeployment()];
    renderWith(api, <EntityDeliveryContent />, {
      entity: { ...checkout, kind, metadata: { name: 'shop' } },
    });
    expect(
      await screen.findByRole('grid', { name: 'Deployments' }),
    ).toBeVisible();
    expect(api.asked).toContainEqual({
      method: 'getMetrics',
      query: { [scope]: name, ...recentDays() },
    });
  });
});

describe('the card of the home page', () => {
  it("shows the numbers of the reader's team", async () => {
    const api = new FakeDeliveryLakeApi();
    renderWith(api, <MyDelivery />, {
      ownershipEntityRefs: ['user:default/grace', 'group:default/payments'],
    });
    expect(await screen.findByText('Team Payments')).toBeVisible();
    expect(await screen.findByText('Change failure rate')).toBeVisible();
    expect(api.asked).toContainEqual({
      method: 'getMetrics',
      query: { team: 'payments', ...recentDays() },
    });
  });

  it('shows the whole lake to users without a team in it', async () => {
    const api = new FakeDeliveryLakeApi();
    renderWith(api, <MyDelivery />);
    expect(await screen.findByText('Everything')).toBeVisible();
    expect(await screen.findByText('Change failure rate')).toBeVisible();
    expect(api.asked).toContainEqual({
      method: 'getMetrics',
      query: recentDays(),
    });
  });
});
