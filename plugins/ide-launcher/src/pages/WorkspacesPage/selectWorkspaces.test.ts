import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { aWorkspace } from '../../__testUtils__/workspaces';
import { formatOrder, parseOrder, sortRows } from '@slipway/design-system';
import { SORT_BY, selectWorkspaces } from './selectWorkspaces';

const stopped = aWorkspace({
  workspaceId: 'w-stopped',
  name: 'shop-9',
  status: 'Stopped',
  lastUsed: '2026-11-21T08:00:00.000Z',
  editor: null,
});
const failed = aWorkspace({
  workspaceId: 'w-failed',
  name: 'shop-10',
  status: 'Stopped',
  failed: true,
  lastUsed: '2026-11-21T09:00:00.000Z',
});
const running = aWorkspace({
  workspaceId: 'w-running',
  name: 'payments-1',
  lastUsed: '2026-11-01T08:00:00.000Z',
});
const columns = Object.entries(SORT_BY).map(([id, sortBy]) => ({ id, sortBy }));
const all = [stopped, failed, running];

function names(view: { search?: string; status?: string; sort?: string }) {
  const { search = '', status = '', sort = '' } = view;
  return sortRows<WorkspaceListItem>(
    selectWorkspaces(all, { search, status }),
    columns,
    parseOrder(sort, Object.keys(SORT_BY)),
  ).map(workspace => workspace.name);
}

describe('selectWorkspaces', () => {
  it('puts the active ones on top, then the ones used last', () => {
    expect(names({})).toEqual(['payments-1', 'shop-10', 'shop-9']);
  });

  it('finds every word in name, namespace, devfile and editor', () => {
    expect(names({ search: 'SHOP  ada' })).toEqual(['shop-10', 'shop-9']);
    expect(names({ search: 'vs code' })).toEqual(['payments-1', 'shop-10']);
    expect(names({ search: 'shop nothing' })).toEqual([]);
  });

  it('finds the repository of a workspace', () => {
    const repositoryUrl = 'https://git.example.org/acme/basket';
    const found = selectWorkspaces(
      [...all, aWorkspace({ workspaceId: 'w-basket', repositoryUrl })],
      { search: 'acme/basket', status: '' },
    );
    expect(found.map(({ workspaceId }) => workspaceId)).toEqual(['w-basket']);
  });

  it('distinguishes a failed start from a stop', () => {
    expect(names({ status: 'Stopped' })).toEqual(['shop-9']);
    expect(names({ status: 'Failed' })).toEqual(['shop-10']);
  });

  it('sorts numbers in names as numbers, both ways', () => {
    expect(names({ sort: 'name' })).toEqual([
      'payments-1',
      'shop-9',
      'shop-10',
    ]);
    expect(names({ sort: '-name' })).toEqual([
      'shop-10',
      'shop-9',
      'payments-1',
    ]);
  });
});

describe('parseOrder', () => {
  it('reads what formatOrder writes, and nothing else', () => {
    const ids = Object.keys(SORT_BY);
    const order = { column: 'lastUsed', direction: 'descending' } as const;
    expect(formatOrder(order)).toBe('-lastUsed');
    expect(parseOrder('-lastUsed', ids)).toEqual(order);
    expect(parseOrder('-constructor', ids)).toBeUndefined();
  });
});
