import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import type { Dashboard, InsightQuery, SavedInsight } from './api/InsightQuery';
import {
  insightsApiRef,
  type NewDashboard,
  type NewInsight,
} from './api/InsightsApi';

/** Queries an insight once the project is known. */
export function useInsight<T>(
  projectId: string | undefined,
  query: InsightQuery,
  options: { mayBeOld?: boolean; refetchInterval?: number } = {},
) {
  const { mayBeOld = false, refetchInterval } = options;
  return useServiceQuery(
    insightsApiRef,
    ['insight', projectId, query, mayBeOld],
    (api, call) =>
      api.ask(projectId!, query, { ...call, mayBeOld }) as Promise<T[]>,
    {
      enabled: projectId !== undefined,
      staleTime: mayBeOld ? 60_000 : 0,
      // The result of another kind of query has another shape.
      placeholderData: (previous, before) =>
        before && shapeOf(before.queryKey[2] as InsightQuery) === shapeOf(query)
          ? previous
          : undefined,
      ...(refetchInterval && { refetchInterval }),
    },
  );
}

/** Names the shape of the result of a query. */
function shapeOf({ kind, funnelsFilter }: InsightQuery): string {
  return `${kind} ${funnelsFilter?.funnelVizType ?? ''}`;
}

/** Returns the saved insights of a project, by name. */
export function useInsights(projectId: string | undefined) {
  return useServiceQuery(
    insightsApiRef,
    ['insights', projectId],
    (api, call) => api.getInsights(projectId!, call),
    { enabled: projectId !== undefined },
  );
}

/** Returns the dashboards of a project, by name. */
export function useDashboards(projectId: string | undefined) {
  return useServiceQuery(
    insightsApiRef,
    ['dashboards', projectId],
    (api, call) => api.getDashboards(projectId!, call),
    { enabled: projectId !== undefined },
  );
}

/** Saves an insight as a new one, or replaces the open one. */
export function useSaveInsight(projectId: string) {
  return useServiceChange(
    insightsApiRef,
    (api, { over, insight }: { over?: SavedInsight; insight: NewInsight }) =>
      over
        ? api.changeInsight(projectId, over, insight)
        : api.createInsight(projectId, insight),
  );
}

export function useDeleteInsight(projectId: string) {
  return useServiceChange(insightsApiRef, (api, of: SavedInsight) =>
    api.deleteInsight(projectId, of),
  );
}

/** Saves a dashboard as a new one, or replaces the open one. */
export function useSaveDashboard(projectId: string) {
  return useServiceChange(
    insightsApiRef,
    (
      api,
      { over, dashboard }: { over?: Dashboard; dashboard: NewDashboard },
    ) =>
      over
        ? api.changeDashboard(projectId, over, dashboard)
        : api.createDashboard(projectId, dashboard),
  );
}

export function useDeleteDashboard(projectId: string) {
  return useServiceChange(insightsApiRef, (api, of: Dashboard) =>
    api.deleteDashboard(projectId, of),
  );
}
