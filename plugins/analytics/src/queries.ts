import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { pagesOfService, useServiceQuery } from '@slipway/app-react';
import { keepPreviousData } from '@tanstack/react-query';
import {
  type CapturedEvent,
  eventsApiRef,
  type QueryResult,
  type TableQuery,
} from './api/EventsApi';
import { textLiteral } from './filters/propertyFilters';
import { analyticsTranslationRef } from './translation';

/** The settings shared by the pages, cards and dialogs of this plugin. */
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
const LAST_MS = 15_000;
const NAMES = 200;

/** Queries the newest events of the last day, and polls for further ones unless paused. */
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

/** Queries the event with an id, however old it is; null if there is none. */
export function useCapturedEvent(
  projectId: string | undefined,
  id: string | undefined,
) {
  return useServiceQuery(
    eventsApiRef,
    ['event', projectId, id],
    async (api, call) => {
      const { rows } = await api.query(
        projectId!,
        {
          select: ['*'],
          where: [`uuid = ${textLiteral(id!)}`],
          after: 'all',
          limit: 1,
        },
        call,
      );
      return (rows[0]?.[0] as CapturedEvent | undefined) ?? null;
    },
    { enabled: projectId !== undefined && id !== undefined },
  );
}

/**
 * Queries the newest event of the last 30 days, or null if there is none; polls often until
 * there is one.
 */
export function useLastEvent(projectId: string | undefined) {
  return useServiceQuery(
    eventsApiRef,
    ['last', projectId],
    async (api, call) => {
      const { rows } = await api.query(
        projectId!,
        {
          select: ['*'],
          orderBy: ['timestamp desc'],
          after: '-30d',
          limit: 1,
        },
        call,
      );
      return (rows[0]?.[0] as CapturedEvent | undefined) ?? null;
    },
    {
      enabled: projectId !== undefined,
      refetchInterval: ({ state }) => (state.data ? LAST_MS : LIVE_MS),
    },
  );
}

/**
 * Queries the event names that forms suggest, most frequent first: from the definitions, or
 * from the last 30 days if there are no definitions yet.
 */
export function useEventNames(projectId: string | undefined) {
  return useServiceQuery(
    eventsApiRef,
    ['names', projectId],
    async (api, call) => {
      const { definitions } = await api.getDefinitions(projectId!, {
        kind: 'event',
        search: '',
        ...call,
      });
      if (definitions.length > 0) {
        return definitions
          .filter(({ hidden }) => !hidden)
          .map(({ name }) => name);
      }
      const { rows } = await api.query(
        projectId!,
        { select: ['event', 'count()'], after: '-30d', limit: NAMES },
        call,
      );
      return rows.map(([name]) => String(name));
    },
    // Refetch, so that an event sent for the first time appears without reloading the page.
    { enabled: projectId !== undefined, refetchInterval: LAST_MS },
  );
}

/** The result of a query, with the time that it took to arrive. */
export interface Answer extends QueryResult {
  durationMs: number;
}

/**
 * Runs a query once the project and query are known. Results are stale immediately, so that
 * returning to a query runs it again, unless `mayBeOld` is set.
 */
export function useAnswer(
  projectId: string | undefined,
  query: TableQuery | undefined,
  options: { mayBeOld?: boolean; refetchInterval?: number } = {},
) {
  const { mayBeOld = false, ...more } = options;
  return useServiceQuery(
    eventsApiRef,
    ['answer', projectId, query, mayBeOld],
    async (api, call): Promise<Answer> => {
      const startedAt = Date.now();
      const result = await api.query(projectId!, query!, { ...call, mayBeOld });
      // The clock may have been set back in the meantime.
      const durationMs = Math.max(0, Date.now() - startedAt);
      return { ...result, durationMs };
    },
    {
      enabled: projectId !== undefined && query !== undefined,
      staleTime: mayBeOld ? 60_000 : 0,
      ...more,
    },
  );
}
