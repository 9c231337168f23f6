import { useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useUndoToast } from '@slipway/app-react';
import type { Dashboard, SavedInsight } from '../api/InsightQuery';
import { useDashboards, useSaveDashboard } from '../insightQueries';
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
  const { mutate, error, isPending } = useSaveDashboard(projectId);
  const undoToast = useUndoToast();
  const [moved, setMoved] = useState<{ id: string; by: Move }>();
  const { data: dashboards } = useDashboards(projectId);
  // Undo changes the dashboard as it is then; another one may be shown by then.
  const latest = useRef(dashboards);
  latest.current = dashboards;
  const { tiles } = dashboard;
  const save = (over: Dashboard, next: string[], onSuccess?: () => void) =>
    mutate(
      { over, dashboard: { name: over.name, tiles: next } },
      { onSuccess },
    );
  return {
    error,
    /** The tile that was moved last, and how. */
    moved,
    add: (id: string) => save(dashboard, [...tiles, id]),
    remove({ id, name }: SavedInsight) {
      const putBack = () => {
        const now = latest.current?.find(each => each.id === dashboard.id);
        if (now) {
          save(now, without(now, id).toSpliced(tiles.indexOf(id), 0, id));
        }
      };
      save(dashboard, without(dashboard, id), () =>
        undoToast(t('dashboard.removed', { name }), putBack),
      );
    },
    move(id: string, by: Move) {
      // Two changes of one version exclude each other.
      if (!isPending) {
        setMoved({ id, by });
        save(dashboard, moveTile(shown, id, by));
      }
    },
  };
}

function without({ tiles }: Dashboard, id: string): string[] {
  return tiles.filter(tile => tile !== id);
}
