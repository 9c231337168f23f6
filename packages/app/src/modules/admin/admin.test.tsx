import { renderPages } from '@slipway/test-pages';
import { ResponseError } from '@backstage/errors';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { type EntityPartsApi, entityPartsApiRef } from '@slipway/app-react';
import type { EntitySummary } from '@slipway/entity-contract';
import { screen, within } from '@testing-library/react';
import { type AdminApi, adminApiRef, type PlatformAudit } from './AdminClient';
import { adminPlugin } from './adminModule';

const act = (id: string, more: Partial<PlatformAudit['acts'][number]>) => ({
  id,
  at: '2026-11-20T12:00:00.000Z',
  by: 'user:default/ada',
  action: 'Create an API token',
  target: 'ci',
  part: 'Flags',
  ...more,
});

class FakeAdminApi implements AdminApi {
  outcome: PlatformAudit | Error = {
    acts: [
      act('1', {}),
      act('2', { action: 'Delete a webhook', target: null, by: 'token:ops' }),
      act('3', { action: 'Drain an agent', part: 'Builds', target: 'linux-1' }),
    ],
    parts: ['Portal', 'Builds', 'Flags'],
    missing: ['Portal'],
    truncated: false,
  };

  async audit() {
    if (this.outcome instanceof Error) {
      throw this.outcome;
    }
    return this.outcome;
  }

  async health() {
    return [
      { name: 'portal', state: 'up' as const, version: '1.2.0', failing: [] },
      {
        name: 'analytics',
        state: 'degraded' as const,
        version: null,
        failing: ['events'],
      },
    ];
  }

  async people(days: number) {
    return days;
  }
}

const states: Record<string, EntitySummary['state']> = {
  'group:default/payments builds': 'bad',
  'group:default/payments flags': 'unconnected',
};

const parts: EntityPartsApi = {
  list: () =>
    ['builds', 'flags'].map((id, order) => ({
      id,
      title: id,
      icon: () => null,
      path: '',
      order,
      kinds: [],
    })),
  async summary({ id }, ref) {
    return { state: states[`${ref} ${id}`], facts: [], needs: [] };
  },
  timeline: async () => ({ items: [], truncated: false }),
};

function open(path: string, api: AdminApi = new FakeAdminApi()) {
  return renderPages({
    path,
    features: [catalogPlugin, adminPlugin],
    apis: [
      [adminApiRef, api],
      [entityPartsApiRef, parts],
      [
        catalogApiRef,
        catalogApiMock({
          entities: [
            {
              apiVersion: 'backstage.io/v1alpha1',
              kind: 'Group',
              metadata: { name: 'payments', title: 'Payments' },
              spec: { type: 'team', children: [] },
            },
          ],
        }),
      ],
    ],
  });
}

it('shows the acts of all parts, filters them, and names a part that is missing', async () => {
  const { user, address } = open('/admin');
  const grid = await screen.findByRole('grid', { name: 'Audit log' });
  expect(within(grid).getAllByRole('rowheader')).toHaveLength(3);
  expect(screen.getByText('Missing: Portal')).toBeVisible();

  await user.type(
    screen.getByRole('searchbox', { name: 'Search the audit log' }),
    'linux',
  );
  expect(within(grid).getAllByRole('rowheader')).toHaveLength(1);
  expect(grid).toHaveTextContent('Drain an agent');
  expect(address()).toBe('/admin?q=linux');
  await user.type(screen.getByRole('searchbox'), 'x');
  expect(await screen.findByText('No matching acts')).toBeVisible();
});

it('shows an access error to other users', async () => {
  const api = new FakeAdminApi();
  api.outcome = await ResponseError.fromResponse(
    Response.json(
      { error: 'Permission portal.admin.read is required' },
      { status: 403 },
    ),
  );
  open('/admin', api);
  expect(
    await screen.findByText('Only platform admins see what is here.'),
  ).toBeVisible();
});

it('shows how the parts are', async () => {
  open('/admin/health');
  const row = await screen.findByRole('row', { name: /analytics/ });
  expect(row).toHaveTextContent(/Degraded.*events/);
});

it('shows which parts each team uses, whatever their state', async () => {
  open('/admin/adoption');
  const row = await screen.findByRole('row', { name: /Payments/ });
  expect(row).toHaveTextContent('1 of 2');
  expect(
    await screen.findByText(/used the portal: 7 in the last 7 days/),
  ).toBeVisible();
});
