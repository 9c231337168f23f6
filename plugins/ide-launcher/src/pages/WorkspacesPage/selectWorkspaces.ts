import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { displayStatus } from '../../data/displayStatus';
import { mostRecentFirst } from '../../data/workspaceOrder';

/** Columns by which the list can be sorted. */
export const SORT_COLUMNS = [
  'name',
  'status',
  'editor',
  'devfile',
  'lastUsed',
  'stopsAt',
] as const;

/** One of {@link SORT_COLUMNS}. */
export type SortColumn = (typeof SORT_COLUMNS)[number];

/** An order of the list. */
export interface ListOrder {
  column: SortColumn;
  direction: 'ascending' | 'descending';
}

/** Reads an order as the URL holds it: `name`, or `-name` for descending. */
export function parseOrder(text: string): ListOrder | undefined {
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  const column = SORT_COLUMNS.find(candidate => candidate === name);
  return (
    column && { column, direction: isDescending ? 'descending' : 'ascending' }
  );
}

/** Writes what {@link parseOrder} reads. */
export function formatOrder(order: ListOrder): string {
  return `${order.direction === 'descending' ? '-' : ''}${order.column}`;
}

/**
 * The workspaces that a view of the list shows, in its order. Without an order the active ones
 * stand on top, then the ones used last.
 */
export function selectWorkspaces(
  workspaces: readonly WorkspaceListItem[],
  view: { search: string; status: string; order: ListOrder | undefined },
): WorkspaceListItem[] {
  const words = view.search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = workspaces.filter(
    workspace =>
      (view.status === '' || displayStatus(workspace) === view.status) &&
      words.every(word => searchText(workspace).includes(word)),
  );
  const usual = mostRecentFirst(found);
  const { order } = view;
  if (!order) {
    return usual;
  }
  const sign = order.direction === 'descending' ? -1 : 1;
  return usual.sort(
    (a, b) =>
      sign *
      sortText(a, order.column).localeCompare(
        sortText(b, order.column),
        undefined,
        { numeric: true },
      ),
  );
}

function searchText(workspace: WorkspaceListItem): string {
  return [
    workspace.name,
    workspace.namespace,
    workspace.devfile.name,
    workspace.devfileUrl,
    workspace.editor?.title,
  ]
    .join(' ')
    .toLowerCase();
}

function sortText(workspace: WorkspaceListItem, column: SortColumn): string {
  switch (column) {
    case 'name':
      return workspace.name;
    case 'status':
      return displayStatus(workspace);
    case 'editor':
      return workspace.editor?.title ?? '';
    case 'devfile':
      return workspace.devfile.name;
    case 'lastUsed':
      return workspace.lastUsed;
    case 'stopsAt':
      return workspace.stopsAt ?? '';
    default:
      return column satisfies never;
  }
}
