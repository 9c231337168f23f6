import {
  type ServiceRevision,
  useServiceChange,
  useServiceEvents,
  useServiceQuery,
} from '@slipway/app-react';
import { type FlagsApi, flagsApiRef } from '../api/FlagsApi';
import type { FlagName } from '../api/flags';
import type { HistoryEvent } from '../api/history';
import type { NewSchedule, ScheduleChange } from '../api/schedules';

/** Reads open or closed change requests, of one flag or of all. */
export function useChangeRequests(query: {
  featureName?: string;
  state?: 'open' | 'closed';
}) {
  return useServiceQuery(flagsApiRef, ['change-requests', query], (api, call) =>
    api.listChangeRequests(query, call),
  );
}

export function useSetChangeRequestState(id: number) {
  return useServiceChange(
    flagsApiRef,
    (api, change: Parameters<FlagsApi['setChangeRequestState']>[1]) =>
      api.setChangeRequestState(id, change),
  );
}

/** Reads schedules of one flag or of all. */
export function useSchedules(query: {
  featureName?: string;
  state?: 'open' | 'closed';
}) {
  return useServiceQuery(flagsApiRef, ['schedules', query], (api, call) =>
    api.listSchedules(query, call),
  );
}

/** Creates a schedule. Resolves with the change request if one was created. */
export function useCreateSchedule(flag: FlagName) {
  return useServiceChange(
    flagsApiRef,
    (api, schedule: NewSchedule & { environment: string }) =>
      api.createSchedule(flag, schedule),
  );
}

export function useChangeSchedule(id: number) {
  return useServiceChange(flagsApiRef, (api, change: ScheduleChange) =>
    api.changeSchedule(id, change),
  );
}

/** Reads what limits of schedules can refer to. */
export function useLimitSources(environment: string) {
  return useServiceQuery(
    flagsApiRef,
    ['impact-metrics', environment],
    (api, call) => api.readLimitSources(environment, call),
  );
}

/** Refetches the data of pages after every change, in this window or elsewhere. */
export function useLiveChanges(): void {
  useServiceEvents(flagsApiRef, followChanges);
}

function followChanges(
  api: FlagsApi,
  {
    onChange,
    signal,
  }: { onChange(revision: ServiceRevision): void; signal: AbortSignal },
): Promise<void> {
  return api.followChanges(onChange, { signal });
}

export function useRollBack() {
  return useServiceChange(flagsApiRef, (api, event: number) =>
    api.rollBack(event),
  );
}

/**
 * Reads a page of the history of a flag, newest first: the events before the one with the given id.
 * While another page of the same flag loads, the previous one remains.
 */
export function useHistory(name: string, before?: number) {
  return useServiceQuery<FlagsApi, HistoryEvent[]>(
    flagsApiRef,
    ['history', name, before],
    (api, call) => api.getHistory(name, { before }, call),
    {
      placeholderData: (events, query) =>
        query?.queryKey[1] === name ? events : undefined,
    },
  );
}
