import { useMemo } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  pagesOfService,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import {
  type DayRange,
  resolvePeriod,
  todayIn,
  useUrlFilters,
} from '@slipway/design-system';
import {
  type BreakdownResponse,
  deliveryReadPermission,
  type Sender,
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

/** The wrapper of this plugin's pages and cards. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    access: t('service.access', { permission: deliveryReadPermission.name }),
  };
});

/** Polling interval of a page that waits for the first deployment. */
const WHILE_EMPTY_MS = 4_000;
/** Interval at which new services are loaded. */
const SCOPES_EVERY_MS = 60_000;

/** Reads the status of the lake; polls while it has no deployment. */
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

/** Reads the teams, projects and services by which a page can be filtered. */
export function useScopes() {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['scopes'],
    (api, call) => api.getScopes(call),
    {
      staleTime: SCOPES_EVERY_MS,
      refetchInterval: query =>
        // The first services appear with the first events.
        query.state.data?.services.length === 0
          ? WHILE_EMPTY_MS
          : SCOPES_EVERY_MS,
    },
  );
}

/** Reads the metrics of a scope. */
export function useMetrics(query: LakeQuery) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['metrics', query],
    (api, call) => api.getMetrics(query, call),
    { placeholderData: keepPreviousData },
  );
}

/** Reads the metrics of a scope by day, week or month. */
export function useSeries(query: LakeQuery, interval: SeriesInterval) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['series', query, interval],
    (api, call) => api.getSeries({ ...query, interval }, call),
    { placeholderData: keepPreviousData },
  );
}

/** Reads the comparison of a scope's parts; disabled without `by`. */
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

/** Reads the largest potential for improvement of a scope. */
export function useImprovements(query: LakeQuery) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['improvements', query],
    (api, call) => api.getImprovements(query, call),
    { placeholderData: keepPreviousData },
  );
}

/** Reads the data that the lake received but could not match. */
export function useUnmatched() {
  return useServiceQuery(deliveryLakeApiRef, ['unmatched'], (api, call) =>
    api.getUnmatched(call),
  );
}

/** The whole history instead of the last 30 days, as part of a query. */
export const EVER = { startDate: '2000-01-01' };

/** Number of rows per page, as many as fit on a large screen. */
const PAGE_SIZE = 50;

/** Reads matching deployments, newest first, page by page. */
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

/** Reads which versions of a scope run in which environments. */
export function useRunning(scope: Scope) {
  return useServiceQuery(deliveryLakeApiRef, ['running', scope], (api, call) =>
    api.getRunning(scopeQuery(scope), call),
  );
}

/** Reads one deployment with its changes. */
export function useDeployment(id: string) {
  return useServiceQuery(deliveryLakeApiRef, ['deployment', id], (api, call) =>
    api.getDeployment(id, call),
  );
}

/** Reads matching incidents, newest first, page by page. */
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

/** Reads one incident. */
export function useIncident(id: string) {
  return useServiceQuery(deliveryLakeApiRef, ['incident', id], (api, call) =>
    api.getIncident(id, call),
  );
}

/** The scope and period of a page, from its URL. */
export interface View {
  scope: Scope | undefined;
  /** The period in the format of the URL. */
  periodText: string;
  period: DayRange;
  /** Both as parameters of a request. */
  query: LakeQuery;
}

/** Reads the scope and period from the URL, shared by all pages. */
export function useView(): View {
  const { values } = useUrlFilters({ scope: '', period: '' });
  // The lake defines the time zone of days; until it is loaded, a deviation of one day is
  // harmless.
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
 * Returns the last 30 days for a card, which does not know the time zone: only the start,
 * because the backend uses its own current day as the end.
 */
export function recentDays(now = Date.now()): { startDate: string } {
  return { startDate: resolvePeriod('', todayIn('UTC', now)).startDate };
}

/**
 * Polling interval of the connections; short, because users wait for a first delivery to appear.
 */
const CONNECTIONS_EVERY_MS = 3_000;

/** Reads the connected repositories and trackers, with their last deliveries. */
export function useConnections() {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['connections'],
    (api, call) => api.getConnections(call),
    { refetchInterval: CONNECTIONS_EVERY_MS },
  );
}

/** Connects a repository. */
export function useConnect() {
  return useServiceChange(
    deliveryLakeApiRef,
    (api, repository: { forge: Sender; repository: string }) =>
      api.connect(repository),
    { hasSecret: true },
  );
}

/** Replaces the secret of a connection. */
export function useReplaceSecret() {
  return useServiceChange(
    deliveryLakeApiRef,
    (api, id: string) => api.replaceConnectionSecret(id),
    { hasSecret: true },
  );
}

/** Stores the secret that the sender of a connection created. */
export function useEnterSecret() {
  return useServiceChange(
    deliveryLakeApiRef,
    (api, { id, secret }: { id: string; secret: string }) =>
      api.enterConnectionSecret(id, secret),
  );
}

/** Removes a connection. */
export function useRemoveConnection() {
  return useServiceChange(deliveryLakeApiRef, (api, id: string) =>
    api.removeConnection(id),
  );
}
