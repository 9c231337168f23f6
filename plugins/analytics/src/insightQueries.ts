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
      ...(refetchInterval && { refetchInterval }),
    },
  );
}

/** Queries the saved insights of a project, sorted by name. */
export function useInsights(projectId: string | undefined) {
  return useServiceQuery(
    insightsApiRef,
    ['insights', projectId],
    (api, call) => api.getInsights(projectId!, call),
    { enabled: projectId !== undefined },
  );
}

/** Returns the key of the query of {@link useDashboards}. */
export function dashboardsKey(projectId: string | undefined) {
  return ['dashboards', projectId];
}

/** Queries the dashboards of a project, sorted by name. */
export function useDashboards(projectId: string | undefined) {
  return useServiceQuery(
    insightsApiRef,
    dashboardsKey(projectId),
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
