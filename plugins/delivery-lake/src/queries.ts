import { useMemo } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { pagesOfService, useServiceQuery } from '@slipway/app-react';
import {
  type DayRange,
  resolvePeriod,
  todayIn,
  useUrlFilters,
} from '@slipway/design-system';
import {
  type BreakdownResponse,
  deliveryReadPermission,
  type SeriesInterval,
} from '@slipway/plugin-delivery-lake-common';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import {
  deliveryLakeApiRef,
  type DeploymentsQuery,
  type IncidentsQuery,
  type LakeQuery,
} from './api/DeliveryLakeApi';
import { parseScope, type Scope, scopeQuery } from './scope';
import { deliveryLakeTranslationRef } from './translation';

/** What the pages and cards of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    access: t('service.access', { permission: deliveryReadPermission.name }),
  };
});

/** How soon a page that waits for the first deployment sees it. */
const WHILE_EMPTY_MS = 4_000;
/** How soon a page offers a service that was named since. */
const SCOPES_EVERY_MS = 60_000;

/** What the lake holds; asked again and again while it holds no deployment. */
export function useLakeStatus() {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['status'],
    (api, call) => api.getStatus(call),
    {
      refetchInterval: query =>
        query.state.data?.deployments === 0 ? WHILE_EMPTY_MS : false,
    },
  );
}

/** The teams, projects and services that a page can be narrowed to. */
export function useScopes() {
  const { data: status } = useLakeStatus();
  return useServiceQuery(
    deliveryLakeApiRef,
    // An empty lake has none; the first events bring them.
    ['scopes', status?.deployments === 0],
    (api, call) => api.getScopes(call),
    { staleTime: SCOPES_EVERY_MS, refetchInterval: SCOPES_EVERY_MS },
  );
}

/** The metrics of a part of the lake. */
export function useMetrics(query: LakeQuery) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['metrics', query],
    (api, call) => api.getMetrics(query, call),
    { placeholderData: keepPreviousData },
  );
}

/** The same by day, week or month. */
export function useSeries(query: LakeQuery, interval: SeriesInterval) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['series', query, interval],
    (api, call) => api.getSeries({ ...query, interval }, call),
    { placeholderData: keepPreviousData },
  );
}

/** The parts of a scope side by side; nothing is asked without `by`. */
export function useBreakdown(
  query: LakeQuery,
  by: BreakdownResponse['by'] | undefined,
) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['breakdown', query, by],
    (api, call) => api.getBreakdown({ ...query, by: by ?? 'service' }, call),
    { enabled: by !== undefined, placeholderData: keepPreviousData },
  );
}

/** Reads where a scope has most to gain. */
export function useImprovements(query: LakeQuery) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['improvements', query],
    (api, call) => api.getImprovements(query, call),
    { placeholderData: keepPreviousData },
  );
}

/** What the lake took in and could not place. */
export function useUnmatched() {
  return useServiceQuery(deliveryLakeApiRef, ['unmatched'], (api, call) =>
    api.getUnmatched(call),
  );
}

/** Rows that come at once; as many as fit a large screen. */
const PAGE_SIZE = 50;

/** Deployments that match, newest first, page by page. */
export function useDeployments(
  query: DeploymentsQuery,
  options: { pageSize?: number } = {},
) {
  const api = useApi(deliveryLakeApiRef);
  const limit = options.pageSize ?? PAGE_SIZE;
  return useInfiniteQuery({
    queryKey: ['deployments', query, limit],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listDeployments({ ...query, cursor, limit }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** One deployment with what it brought. */
export function useDeployment(id: string) {
  return useServiceQuery(deliveryLakeApiRef, ['deployment', id], (api, call) =>
    api.getDeployment(id, call),
  );
}

/** Incidents that match, newest first, page by page. */
export function useIncidents(
  query: IncidentsQuery,
  options: { pageSize?: number } = {},
) {
  const api = useApi(deliveryLakeApiRef);
  const limit = options.pageSize ?? PAGE_SIZE;
  return useInfiniteQuery({
    queryKey: ['incidents', query, limit],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listIncidents({ ...query, cursor, limit }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** What a page shows, as its URL says. */
export interface View {
  scope: Scope | undefined;
  /** The period as written in the URL. */
  periodText: string;
  period: DayRange;
  /** Both as parameters of a request. */
  query: LakeQuery;
}

/** Scope and period of the URL, which all pages share. */
export function useView(): View {
  const { values } = useUrlFilters({ scope: '', period: '' });
  // Days begin where the lake says; until it does, a day early or late is no harm.
  const timeZone = useLakeStatus().data?.timeZone ?? 'UTC';
  const today = todayIn(timeZone);
  const { scope: scopeText, period: periodText } = values;
  return useMemo(() => {
    const scope = parseScope(scopeText);
    const period = resolvePeriod(periodText, today);
    return {
      scope,
      periodText,
      period,
      query: { ...scopeQuery(scope), ...period },
    };
  }, [scopeText, periodText, today]);
}

/**
 * The last 30 days for a card, which knows no time zone: only their beginning,
 * for the back end ends them with its own today.
 */
export function recentDays(now = Date.now()): { startDate: string } {
  return { startDate: resolvePeriod('', todayIn('UTC', now)).startDate };
}
