import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useInOrder, useUndoToast } from '@slipway/app-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Dashboard, SavedInsight } from '../api/InsightQuery';
import { dashboardsKey, useSaveDashboard } from '../insightQueries';
import { analyticsTranslationRef } from '../translation';
import { type Move, moveTile } from './TileMoves';

/** Adds, removes and moves the tiles of a dashboard; a removed one can be put back. */
export function useTiles(
  projectId: string,
  options: {
    dashboard: Dashboard;
    /** The ids of the tiles that are shown: some insights may no longer exist. */
    shown: readonly string[];
  },
) {
  const { dashboard, shown } = options;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { mutateAsync, error, isPending } = useSaveDashboard(projectId);
  const undoToast = useUndoToast();
  const [moved, setMoved] = useState<{ id: string; by: Move }>();
  const client = useQueryClient();
  const inOrder = useInOrder();
  /**
   * Applies a change to the dashboard as the previous change left it, because two changes of the
   * same version conflict. Rejects if the change fails; the page shows the error.
   */
  const change = (next: (now: Dashboard) => string[]) =>
    inOrder(async () => {
      const now = client
        .getQueryData<Dashboard[]>(dashboardsKey(projectId))
        ?.find(({ id }) => id === dashboard.id);
      if (now) {
        await mutateAsync({
          over: now,
          dashboard: { name: now.name, tiles: next(now) },
        });
      }
    });
  return {
    error,
    /** The tile that was moved last, and in which direction. */
    moved,
    add(id: string) {
      change(now => [...without(now, id), id]).catch(ignore);
    },
    remove({ id, name }: SavedInsight) {
      const place = dashboard.tiles.indexOf(id);
      const putBack = () => {
        change(now => without(now, id).toSpliced(place, 0, id)).catch(ignore);
      };
      change(now => without(now, id)).then(
        () => undoToast(t('dashboard.removed', { name }), putBack),
        ignore,
      );
    },
    move(id: string, by: Move) {
      // Ignore moves during another change: a tile must move past the neighbours that are shown.
      if (!isPending) {
        setMoved({ id, by });
        change(({ tiles }) => moveTile(tiles, { id, by, shown })).catch(ignore);
      }
    },
  };
}

/** The page shows the error of the last change. */
function ignore() {}

function without({ tiles }: Dashboard, id: string): string[] {
  return tiles.filter(tile => tile !== id);
}
