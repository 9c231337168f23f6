import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  pagesOfService,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import { useUrlFilters } from '@slipway/design-system';
import { keepPreviousData } from '@tanstack/react-query';
import {
  type CapturedEvent,
  type CredentialKind,
  eventsApiRef,
  type EventsQuery,
} from './api/EventsApi';
import { analyticsTranslationRef } from './translation';

/** What the pages, cards and dialogs of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./analytics',
    access: t('service.access'),
  };
});

const LIVE_MS = 3_000;
const LIVE_ROWS = 50;
const NAMES = 200;

/** Returns the projects, the engine, and whether the user may create keys. */
export function useProjects() {
  return useServiceQuery(eventsApiRef, ['projects'], (api, call) =>
    api.getProjects(call),
  );
}

/** Returns the newest events of the last day, polled unless paused. */
export function useLiveEvents(
  projectId: string | undefined,
  options: { event: string; isPaused: boolean },
) {
  const { event, isPaused } = options;
  return useServiceQuery(
    eventsApiRef,
    ['live', projectId, event],
    async (api, call) => {
      const { rows } = await api.query(
        projectId!,
        {
          select: ['*'],
          orderBy: ['timestamp desc'],
          limit: LIVE_ROWS,
          ...(event && { event }),
        },
        call,
      );
      return rows.map(([cell]) => cell as CapturedEvent);
    },
    {
      enabled: projectId !== undefined,
      refetchInterval: isPaused ? false : LIVE_MS,
      placeholderData: keepPreviousData,
    },
  );
}

/** Returns the names of events of the last 30 days, most frequent first. */
export function useEventNames(projectId: string | undefined) {
  return useServiceQuery(
    eventsApiRef,
    ['names', projectId],
    async (api, call) => {
      const { rows } = await api.query(
        projectId!,
        { select: ['event', 'count()'], after: '-30d', limit: NAMES },
        call,
      );
      return rows.map(([name]) => String(name));
    },
    { enabled: projectId !== undefined },
  );
}

/**
 * Runs a query once the project and query are known. Results are stale at once, so that
 * returning to a query runs it again.
 */
export function useAnswer(
  projectId: string | undefined,
  query: EventsQuery | undefined,
  options: { refetchInterval?: number } = {},
) {
  return useServiceQuery(
    eventsApiRef,
    ['answer', projectId, query],
    (api, call) => api.query(projectId!, query!, call),
    {
      enabled: projectId !== undefined && query !== undefined,
      staleTime: 0,
      ...options,
    },
  );
}

/** Returns keys and tokens without their secrets, once the project is known. */
export function useCredentials(projectId: string | undefined) {
  return useServiceQuery(
    eventsApiRef,
    ['credentials', projectId],
    (api, call) => api.getCredentials(projectId!, call),
    { enabled: projectId !== undefined },
  );
}

/** Returns SDK events that queries do not show. */
export function useIngestion(projectId: string) {
  return useServiceQuery(eventsApiRef, ['ingestion', projectId], (api, call) =>
    api.getIngestion(projectId, call),
  );
}

/** Resolves with the secret, which the service returns only once. */
export function useCreateCredential(projectId: string) {
  return useServiceChange(
    eventsApiRef,
    (api, credential: { kind: CredentialKind; name: string }) =>
      api.createCredential(projectId, credential),
  );
}

/** Takes the id of a credential created here; those from the configuration cannot be revoked. */
export function useRevokeCredential(projectId: string) {
  return useServiceChange(eventsApiRef, (api, id: string) =>
    api.revokeCredential(projectId, id),
  );
}

/** Returns the project that the URL names, or the first one. */
export function useProject() {
  const { values, set } = useUrlFilters({ project: '' });
  const list = useProjects();
  const projects = list.data?.projects ?? [];
  const project =
    projects.find(({ id }) => id === values.project) ?? projects[0];
  return {
    list,
    project,
    choose: (id: string) => set('project', id === projects[0]?.id ? '' : id),
    /** The URL query that links to the other pages carry. */
    search: values.project
      ? `?project=${encodeURIComponent(values.project)}`
      : '',
  };
}
