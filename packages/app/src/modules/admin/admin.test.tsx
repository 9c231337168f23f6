import { renderPages } from '@slipway/test-pages';
import { ResponseError } from '@backstage/errors';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { type EntityPartsApi, entityPartsApiRef } from '@slipway/app-react';
import type { EntitySummary, Token, Webhook } from '@slipway/entity-contract';
import { screen, waitFor, within } from '@testing-library/react';
import {
  type AdminApi,
  adminApiRef,
  type OfPart,
  type PlatformAdministration,
  type PlatformAudit,
  type TestOutcome,
} from './AdminClient';
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

const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString();

const token = (name: string, more: Partial<OfPart<Token>> = {}) => ({
  id: `flags ${name}`,
  part: 'Flags',
  partId: 'flags',
  name,
  kind: 'client-token' as const,
  scopes: [],
  configured: false,
  createdAt: inDays(-200),
  createdBy: 'user:default/ada',
  lastUsedAt: inDays(-1),
  expiresAt: null,
  remove: `/tokens/${name}`,
  ...more,
});

const webhook = (name: string, more: Partial<OfPart<Webhook>> = {}) => ({
  id: `flags ${name}`,
  part: 'Flags',
  partId: 'flags',
  name,
  direction: 'outgoing' as const,
  kind: 'Slack',
  host: 'hooks.slack.com',
  events: ['*'],
  configured: false,
  signed: false,
  paused: false,
  lastAt: inDays(-1),
  error: null,
  failures: 0,
  ...more,
});

const administration: PlatformAdministration = {
  roles: [
    {
      id: 'portal Platform admins',
      part: 'Portal',
      partId: 'portal',
      name: 'Platform admins',
      groups: ['group:default/platform-admins'],
      may: ['catalog.entity.delete', 'portal.admin.read'],
      key: 'slipway.adminGroups',
    },
    {
      id: 'flags Every signed-in user',
      part: 'Flags',
      partId: 'flags',
      name: 'Every signed-in user',
      groups: [],
      may: ['Read all flags'],
    },
  ],
  tokens: [
    token('shop', { expiresAt: inDays(3), page: '/flags/api-access' }),
    token('old', { expiresAt: inDays(-3) }),
    token('idle', { lastUsedAt: null }),
    token('ci', {
      id: 'builds ci',
      part: 'Builds',
      kind: 'api-token',
      scopes: ['trigger'],
      configured: true,
      createdAt: null,
      createdBy: null,
      lastUsedAt: undefined,
      remove: undefined,
    }),
  ],
  webhooks: [
    webhook('releases', { test: '/notices/1/test', remove: '/notices/1' }),
    webhook('crm', {
      ...{ error: 'HTTP 500', failures: 3, configured: true },
      redeliver: '/webhooks/crm/redeliveries',
      page: '/flags/notices',
    }),
    webhook('shop/cart', {
      direction: 'incoming',
      host: null,
      kind: 'GitHub',
      lastAt: undefined,
    }),
  ],
  parts: ['Portal', 'Builds', 'Flags'],
  missing: ['Portal'],
};

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

  readonly sent: unknown[] = [];
  administered: PlatformAdministration | Error = administration;
  outcomeOfTest: TestOutcome = { delivered: true, error: null };

  async administration() {
    if (this.administered instanceof Error) {
      throw this.administered;
    }
    return this.administered;
  }

  async remove({ partId, remove }: { partId: string; remove?: string }) {
    this.sent.push(['remove', partId, remove]);
  }

  async test({ partId, test }: { partId: string; test?: string }) {
    this.sent.push(['test', partId, test]);
    return this.outcomeOfTest;
  }

  async redeliver(failed: { partId: string; redeliver?: string }) {
    this.sent.push(['redeliver', failed.partId, failed.redeliver]);
    return 3;
  }

  async visits() {
    return new Map([['user:default/ada', '2026-11-20T12:00:00.000Z']]);
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
              metadata: { name: 'payments' },
              spec: {
                type: 'team',
                children: [],
                profile: { displayName: 'Payments' },
              },
            },
            {
              apiVersion: 'backstage.io/v1alpha1',
              kind: 'User',
              metadata: { name: 'ada', namespace: 'default' },
              spec: {
                memberOf: ['platform-admins'],
                profile: { displayName: 'Ada', email: 'ada@example.org' },
              },
              relations: [
                {
                  type: 'memberOf',
                  targetRef: 'group:default/platform-admins',
                },
                { type: 'memberOf', targetRef: 'group:default/payments' },
              ],
            },
            {
              apiVersion: 'backstage.io/v1alpha1',
              kind: 'User',
              metadata: { name: 'grace', namespace: 'default' },
              spec: { memberOf: [], profile: { displayName: 'Grace' } },
              relations: [],
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
  expect(await screen.findByText('No matching entries')).toBeVisible();
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
    await screen.findByText('Only platform admins can view these pages.'),
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

const teamNamed = (name: string) => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Group',
  metadata: { name },
  spec: { type: 'team', children: [] },
});

it('says that it covers only the first teams', async () => {
  const names = Array.from({ length: 51 }, (_, index) => `team-${index}`);
  renderPages({
    path: '/admin/adoption',
    features: [catalogPlugin, adminPlugin],
    apis: [
      [adminApiRef, new FakeAdminApi()],
      [entityPartsApiRef, parts],
      [catalogApiRef, catalogApiMock({ entities: names.map(teamNamed) })],
    ],
  });
  expect(
    await screen.findByText('Only the first 50 of 51 teams by name are shown.'),
  ).toBeVisible();
});

it('goes on with other teams while a part is slow to respond about one', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const asked: string[] = [];
  let respond = () => {};
  const slow = new Promise<void>(resolve => {
    respond = resolve;
  });
  renderPages({
    path: '/admin/adoption',
    features: [catalogPlugin, adminPlugin],
    apis: [
      [adminApiRef, new FakeAdminApi()],
      [
        entityPartsApiRef,
        {
          ...parts,
          async summary(part, ref) {
            asked.push(`${ref} ${part.id}`);
            await (ref === 'group:default/a' ? slow : undefined);
            return parts.summary(part, ref);
          },
        },
      ],
      [catalogApiRef, catalogApiMock({ entities: names.map(teamNamed) })],
    ],
  });
  await waitFor(() => expect(asked).toContain('group:default/e flags'));
  expect(screen.queryByRole('row', { name: /^e/ })).toBeNull();
  respond();
  expect(await screen.findByRole('row', { name: /^e/ })).toBeVisible();
  expect(asked).toHaveLength(10);
});

const namesIn = (grid: HTMLElement) =>
  within(grid)
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent);

it('lists tokens, marks those that expire, and filters them by state', async () => {
  const { user, address } = open('/admin/tokens');
  const grid = await screen.findByRole('grid', { name: 'Tokens' });
  expect(namesIn(grid)).toEqual(['ci', 'shop', 'old', 'idle']);
  expect(screen.getByText('Missing: Portal')).toBeVisible();
  const rowOf = (name: string) =>
    within(grid).getByRole('row', { name: new RegExp(`^${name}`) });
  expect(rowOf('shop')).toHaveTextContent('Soon');
  expect(
    within(rowOf('shop')).getByRole('link', { name: 'shop' }),
  ).toHaveAttribute('href', '/flags/api-access');
  expect(rowOf('old')).toHaveTextContent('Expired');
  expect(rowOf('ci')).toHaveTextContent(
    /Builds.*API token.*trigger.*Configuration/,
  );
  expect(within(rowOf('ci')).queryByRole('button')).toBeNull();

  await user.click(screen.getByRole('button', { name: /State/ }));
  await user.click(
    await screen.findByRole('option', { name: 'Unused for 90 days' }),
  );
  expect(namesIn(grid)).toEqual(['idle']);
  expect(address()).toBe('/admin/tokens?state=unused');
});

it('exports what tokens are, and nothing of their buttons', async () => {
  let saved = new Blob();
  URL.createObjectURL = file => {
    saved = file as Blob;
    return 'blob:tokens';
  };
  const { user } = open('/admin/tokens');
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  const reader = new FileReader();
  const read = new Promise(resolve => {
    reader.onload = resolve;
  });
  reader.readAsText(saved);
  await read;
  const [header] = String(reader.result).split('\r\n');
  expect(header).toMatch(/Name,Part,.*Expires$/);
});

it('revokes a token in its part after its name was typed', async () => {
  const api = new FakeAdminApi();
  const { user } = open('/admin/tokens', api);
  await user.click(await screen.findByRole('button', { name: 'Revoke shop' }));
  const dialog = await screen.findByRole('dialog', { name: 'Revoke shop?' });
  const confirm = within(dialog).getByRole('button', { name: 'Revoke token' });
  await user.click(confirm);
  expect(within(dialog).getByText("The name doesn't match")).toBeVisible();
  expect(api.sent).toEqual([]);
  const field = within(dialog).getByRole('textbox', {
    name: 'Type shop to confirm',
    description: /rejects everything that uses it/,
  });
  await user.type(field, 'shop');
  await user.click(confirm);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(api.sent).toEqual([['remove', 'flags', '/tokens/shop']]);
});

it('lists webhooks, failing ones first, and sends a test from the details', async () => {
  const api = new FakeAdminApi();
  const { user, address } = open('/admin/webhooks', api);
  const grid = await screen.findByRole('grid', { name: 'Webhooks' });
  expect(namesIn(grid)).toEqual(['crm', 'releases', 'shop/cart']);
  expect(within(grid).getByRole('row', { name: /^shop/ })).toHaveTextContent(
    /Incoming.*GitHub.*Not recorded/,
  );
  expect(
    within(grid).getByRole('link', { name: 'releases' }).getAttribute('href'),
  ).toMatch(/webhook=flags\+releases$/);
  await user.click(within(grid).getByText('releases'));
  expect(address()).toContain('webhook=flags+releases');
  const panel = await screen.findByRole('complementary', { name: 'releases' });
  await user.click(within(panel).getByRole('button', { name: 'Send test' }));
  expect(await within(panel).findByText('Test delivered')).toBeVisible();
  api.outcomeOfTest = { delivered: false, error: 'Not found' };
  await user.click(within(panel).getByRole('button', { name: 'Send test' }));
  expect(await within(panel).findByText('Not found')).toBeVisible();
  expect(api.sent).toEqual([
    ['test', 'flags', '/notices/1/test'],
    ['test', 'flags', '/notices/1/test'],
  ]);
});

it('says why a webhook fails, and offers nothing that its part cannot do', async () => {
  const api = new FakeAdminApi();
  const { user } = open('/admin/webhooks?webhook=flags%20crm', api);
  const panel = await screen.findByRole('complementary', { name: 'crm' });
  expect(panel).toHaveTextContent('HTTP 500');
  expect(
    within(panel).getByRole('link', { name: 'View flags' }),
  ).toHaveAttribute('href', '/flags/notices');
  expect(within(panel).queryByRole('button', { name: 'Remove' })).toBeNull();
  await user.click(
    within(panel).getByRole('button', { name: 'Resend failed deliveries' }),
  );
  expect(
    await within(panel).findByText('3 deliveries are being resent'),
  ).toBeVisible();
  expect(api.sent).toEqual([
    ['redeliver', 'flags', '/webhooks/crm/redeliveries'],
  ]);
});

it('shows which roles people have, and when they were here', async () => {
  const { user, address } = open('/admin/access');
  const people = await screen.findByRole('grid', { name: 'People' });
  const ada = within(people).getByRole('row', { name: /ada/i });
  expect(ada).toHaveTextContent('Platform admin');
  expect(within(people).getByRole('row', { name: /grace/i })).toHaveTextContent(
    /User.*Never/,
  );
  await user.type(screen.getByRole('searchbox'), 'example.org');
  expect(within(people).getAllByRole('rowheader')).toHaveLength(1);
  expect(address()).toBe('/admin/access?q=example.org');
});

it('filters people by the titles of their teams', async () => {
  const { user } = open('/admin/access');
  const people = await screen.findByRole('grid', { name: 'People' });
  await within(people).findByRole('link', { name: 'Payments' });
  await user.click(screen.getByRole('button', { name: /^Team|Team$/ }));
  await user.click(await screen.findByRole('option', { name: 'Payments' }));
  expect(namesIn(people)).toEqual(['Ada']);
});

it('shows what each role may do, and where it is configured', async () => {
  // Columns of the list of people do not apply to roles.
  const { user } = open('/admin/access?columns=name,email');
  await user.click(await screen.findByRole('radio', { name: 'Roles' }));
  const roles = await screen.findByRole('grid', { name: 'Roles' });
  expect(within(roles).getAllByRole('columnheader')).not.toHaveLength(1);
  expect(namesIn(roles)).toEqual(['Platform admins', 'Every signed-in user']);
  await user.click(within(roles).getByText('Platform admins'));
  const panel = await screen.findByRole('complementary', {
    name: 'Portal: Platform admins',
  });
  expect(panel).toHaveTextContent('slipway.adminGroups');
  expect(within(panel).getAllByRole('listitem')).toHaveLength(2);
  await user.type(screen.getByRole('searchbox'), 'read all');
  expect(namesIn(roles)).toEqual(['Every signed-in user']);
});

it.each(['access', 'tokens', 'webhooks'])(
  'shows that %s failed to load',
  async page => {
    const api = new FakeAdminApi();
    api.administered = new Error('down');
    open(`/admin/${page}`, api);
    expect(await screen.findByText(/Couldn't load/)).toBeVisible();
  },
);
