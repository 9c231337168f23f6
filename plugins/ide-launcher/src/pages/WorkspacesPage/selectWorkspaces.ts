import { matchesWords } from '@slipway/app-react';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import {
  displayStatus,
  mostRecentFirst,
} from '../../components/WorkspaceState';

/** Functions that return the sort key of each column of the list. */
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
  return mostRecentFirst(
    workspaces.filter(
      workspace =>
        (view.status === '' || displayStatus(workspace) === view.status) &&
        matchesWords(view.search, [
          workspace.name,
          workspace.namespace,
          workspace.devfile.name,
          workspace.devfileUrl,
          workspace.repositoryUrl,
          workspace.editor?.title,
        ]),
    ),
  );
}
