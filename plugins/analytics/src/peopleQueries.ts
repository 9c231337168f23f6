import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import { keepPreviousData } from '@tanstack/react-query';
import { peopleApiRef } from './api/PeopleApi';

const PENDING_MS = 1_000;

/** Returns persons with a text in their ids or properties, last seen first. */
export function usePersons(projectId: string, search: string) {
  return useServiceQuery(
    peopleApiRef,
    ['persons', projectId, search],
    (api, call) => api.getPersons(projectId, { ...call, search }),
    { placeholderData: keepPreviousData },
  );
}

/** Returns the person with an id. */
export function usePerson(projectId: string, distinctId: string) {
  return useServiceQuery(
    peopleApiRef,
    ['person', projectId, distinctId],
    (api, call) => api.getPerson(projectId, distinctId, call),
  );
}

/** Returns what a person did last, or before a given time. */
export function useTimeline(
  projectId: string,
  distinctId: string,
  before?: string,
) {
  return useServiceQuery(
    peopleApiRef,
    ['timeline', projectId, distinctId, before],
    (api, call) => api.getTimeline(projectId, distinctId, { ...call, before }),
    { placeholderData: keepPreviousData },
  );
}

/** Requests the deletion of a person by one of the person's ids. */
export function useErasePerson(projectId: string) {
  return useServiceChange(peopleApiRef, (api, distinctId: string) =>
    api.erase(projectId, distinctId),
  );
}

/** Returns deletions of persons, newest first; refreshes while one is in progress. */
export function useErasures(projectId: string, options: { enabled: boolean }) {
  return useServiceQuery(
    peopleApiRef,
    ['erasures', projectId],
    (api, call) => api.getErasures(projectId, call),
    {
      ...options,
      refetchInterval: ({ state }) =>
        state.data?.some(({ done_at: doneAt }) => doneAt === undefined)
          ? PENDING_MS
          : false,
    },
  );
}
