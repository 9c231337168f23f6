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
  type DeploymentDetails,
  type Sender,
  type IncidentDetails,
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

/** The number of deployments searched for a previous version that did not fail. */
const EARLIER = 20;
const DAY_MS = 86_400_000;

/**
 * Reads the version of the service that ran in the environment before a deployment; null if
 * unknown. Disabled without a deployment.
 */
export function useVersionBefore(deployment: DeploymentDetails | undefined) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['version-before', deployment?.id],
    async (api, call) => {
      const { service, entityRef, environment, startTime } = deployment!;
      const { deployments } = await api.listDeployments(
        {
          service: entityRef ?? service,
          environment,
          status: 'SUCCESS',
          ...EVER,
          // The end is exclusive, and a deployment may begin as the one before it finishes.
          endDate: new Date(Date.parse(startTime) + 1).toISOString(),
          limit: EARLIER,
        },
        call,
      );
      const before = deployments.find(
        each => each.startTime < startTime && !each.failed,
      );
      return before ?? null;
    },
    { enabled: deployment !== undefined },
  );
}

/** The number of deployments on either side of the start of an incident. */
const AROUND = 5;
/** Days before an incident in which a deployment may have caused it. */
const SUSPECT_DAYS = 7;

/**
 * The deployments of an incident's service to its environment around the incident, newest first.
 */
export interface DeploymentsAround {
  /** The deployments of the week before the incident. */
  before: DeploymentDetails[];
  /** The deployments from its start to its resolution, or until now. */
  during: DeploymentDetails[];
}

/** Reads the deployments around an incident; there are none if it has no service. */
export function useDeploymentsAround(incident: IncidentDetails) {
  const { id, service, entityRef, environment } = incident;
  const { startedAt, resolvedAt } = incident;
  return useServiceQuery(
    deliveryLakeApiRef,
    ['deployments-around', id, startedAt, resolvedAt],
    async (api, call): Promise<DeploymentsAround> => {
      const name = entityRef ?? service;
      if (name === null) {
        return { before: [], during: [] };
      }
      const start = Date.parse(startedAt);
      const list = async (from: number, to: number) => {
        const { deployments } = await api.listDeployments(
          {
            service: name,
            environment,
            startDate: new Date(from).toISOString(),
            endDate: new Date(to).toISOString(),
            limit: AROUND,
          },
          call,
        );
        return deployments;
      };
      const end = resolvedAt === null ? Date.now() : Date.parse(resolvedAt);
      const [before, during] = await Promise.all([
        list(start - SUSPECT_DAYS * DAY_MS, start),
        // The end is exclusive: a deployment may resolve the incident as it finishes.
        list(start, Math.max(start, end) + 1),
      ]);
      return { before, during };
    },
  );
}

/**
 * Reads the incidents without a known cause that began in the week after a deployment, newest
 * first. The panels of these incidents list the deployment as a possible cause.
 *
 * @param deployment - one that no incident is attributed to; disabled if undefined.
 */
export function useIncidentsAfter(deployment: DeploymentDetails | undefined) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['incidents-after', deployment?.id],
    async (api, call): Promise<IncidentDetails[]> => {
      const { service, entityRef, environment } = deployment!;
      const end = Date.parse(deployment!.endTime ?? deployment!.startTime);
      const { incidents } = await api.listIncidents(
        {
          service: entityRef ?? service,
          environment,
          startDate: new Date(end).toISOString(),
          // The end is exclusive, unlike the time of a deployment before an incident.
          endDate: new Date(end + SUSPECT_DAYS * DAY_MS + 1).toISOString(),
        },
        call,
      );
      // The response includes incidents that began before the period and were open during it.
      return incidents.filter(
        ({ startedAt, deployment: cause }) =>
          Date.parse(startedAt) > end && cause === null,
      );
    },
    { enabled: deployment !== undefined },
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
