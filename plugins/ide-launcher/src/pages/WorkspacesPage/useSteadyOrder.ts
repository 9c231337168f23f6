import { useState } from 'react';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';

/**
 * Returns the rows in the order in which they were first shown, with new ones on top, so that an action
 * such as starting a workspace does not move another row under the pointer.
 *
 * @param view - identifies the current view, for example by its filters; when it changes, the rows are
 *   shown in the order of `rows` again.
 */
export function useSteadyOrder(
  rows: readonly WorkspaceListItem[],
  view: string,
): readonly WorkspaceListItem[] {
  const [shown, setShown] = useState({ view, ids: rows.map(idOf) });
  const known = shown.view === view ? shown.ids : [];
  const added = rows.map(idOf).filter(id => !known.includes(id));
  const ids = [...added, ...known];
  if (shown.view !== view || added.length > 0) {
    setShown({ view, ids });
  }
  const places = new Map(ids.map((id, index) => [id, index]));
  const placeOf = (row: WorkspaceListItem) => places.get(idOf(row)) ?? 0;
  return [...rows].sort((one, other) => placeOf(one) - placeOf(other));
}

function idOf({ workspaceId }: WorkspaceListItem): string {
  return workspaceId;
}
