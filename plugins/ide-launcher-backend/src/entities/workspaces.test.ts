import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import type { EntityScope } from '@slipway/entity-contract';
import { workspacesPart } from './workspacesPart';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DEVFILE = 'https://forge.example.org/shop/raw/devfile.yaml';

const workspace = (
  name: string,
  more: Partial<WorkspaceListItem> = {},
): WorkspaceListItem => ({
  workspaceId: `workspace-${name}`,
  name,
  status: 'Running',
  ideUrl: 'http://localhost:7010/w/x/',
  devfile: { name: 'shop', version: null },
  createdAt: '2026-11-19T12:00:00.000Z',
  lastUsed: '2026-11-20T11:00:00.000Z',
  namespace: 'grace-workspaces',
  devfileUrl: DEVFILE,
  repositoryUrl: null,
  editor: null,
  statusMessage: null,
  failed: false,
  stopsAt: null,
  deletesAt: null,
  importedFrom: null,
  ...more,
});

const scope = (
  kind: EntityScope['kind'],
  annotations: Record<string, string> = {},
): EntityScope => ({
  ref: `${kind}:default/shop`,
  kind,
  components: [
    { ref: 'component:default/shop', name: 'shop', title: 'Shop', annotations },
  ],
  truncated: false,
  teams: [],
});
const SHOP = scope('component', {
  'slipway.dev/devfile': './devfile.yaml',
  'backstage.io/source-location': 'url:https://forge.example.org/shop/raw/',
});

const requester = { ref: 'user:default/grace' };

function partOf(workspaces: WorkspaceListItem[]) {
  const asked: unknown[] = [];
  const part = workspacesPart({
    service: {
      async listOf(owner) {
        asked.push(owner);
        return { workspaces, total: workspaces.length };
      },
    },
    now: () => NOW,
  });
  return { part, asked };
}

it('reports callers’ own workspaces with the devfile of a component', async () => {
  const { part, asked } = partOf([
    workspace('fix'),
    workspace('other', { devfileUrl: 'https://forge.example.org/other.yaml' }),
  ]);
  const summary = await part.summary(SHOP, requester);
  expect(asked).toEqual([requester.ref]);
  expect(summary).toMatchObject({
    state: 'good',
    facts: [
      { id: 'own', value: 1 },
      { id: 'running', value: 1 },
      { id: 'last', value: 'fix', page: '/workspaces/workspace-fix' },
    ],
    needs: [],
  });
});

it('creates needs for workspaces that have failed, or will be stopped or deleted soon', async () => {
  const { part } = partOf([
    workspace('broken', { failed: true, statusMessage: 'No space left' }),
    workspace('idle', { stopsAt: '2026-11-20T12:20:00.000Z' }),
    workspace('busy', { stopsAt: '2026-11-20T14:00:00.000Z' }),
    // With the default idle timeout.
    workspace('in-use', {
      lastUsed: '2026-11-20T11:59:50.000Z',
      stopsAt: '2026-11-20T12:29:50.000Z',
    }),
    workspace('old', {
      status: 'Stopped',
      deletesAt: '2026-11-25T12:00:00.000Z',
    }),
  ]);
  const { needs, state } = await part.summary(scope('user'), requester);
  expect(state).toBe('warning');
  expect(needs.map(({ title, tone }) => [title, tone])).toEqual([
    ['broken failed', 'bad'],
    ['idle is about to stop', 'warning'],
    ['old will be deleted', 'warning'],
  ]);
  // The scope of the notification that the owner got.
  expect(needs.map(({ notified, scope: own }) => [notified, own])).toEqual([
    [true, 'workspace-broken'],
    [undefined, undefined],
    [true, 'workspace-old'],
  ]);
});

it('lists created workspaces on the timeline', async () => {
  const { part } = partOf([workspace('fix')]);
  const query = {
    from: Date.parse('2026-11-19'),
    to: NOW,
    kinds: new Set(['workspace'] as const),
    limit: 50,
  };
  expect(await part.timeline(SHOP, query, requester)).toEqual([
    expect.objectContaining({ kind: 'workspace', title: 'fix created' }),
  ]);
  expect(
    await part.timeline(SHOP, { ...query, from: NOW - 1 }, requester),
  ).toEqual([]);
});

it('explains how to connect a component without a devfile', async () => {
  const { part, asked } = partOf([]);
  expect(await part.summary(scope('component'), requester)).toMatchObject({
    state: 'unconnected',
    message: expect.stringContaining('slipway.dev/devfile'),
  });
  expect(asked).toEqual([]);
});
