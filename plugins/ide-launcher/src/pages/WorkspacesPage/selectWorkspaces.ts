import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { displayStatus, mostRecentFirst } from '../../workspaces';

/** The sort key of each column of the list. */
export const SORT_BY = {
  name: ({ name }) => name,
  status: displayStatus,
  editor: ({ editor }) => editor?.title ?? '',
  devfile: ({ devfile }) => devfile.name,
  lastUsed: ({ lastUsed }) => lastUsed,
  stopsAt: ({ stopsAt }) => stopsAt ?? '',
} satisfies Record<string, (workspace: WorkspaceListItem) => string>;

/** Returns the workspaces for a view of the list: active ones first, then the most recently used. */
export function selectWorkspaces(
  workspaces: readonly WorkspaceListItem[],
  view: { search: string; status: string },
): WorkspaceListItem[] {
  const words = view.search.toLowerCase().split(/\s+/).filter(Boolean);
  return mostRecentFirst(
    workspaces.filter(
      workspace =>
        (view.status === '' || displayStatus(workspace) === view.status) &&
        words.every(word => searchText(workspace).includes(word)),
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
