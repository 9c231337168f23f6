import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import {
  type DestinationChanges,
  destinationsApiRef,
  type NewDestination,
} from '../api/DestinationsApi';

const REFRESH_MS = 5_000;

/** Queries the destinations of a project once it is known, and refetches them regularly. */
export function useDestinations(projectId: string | undefined) {
  return useServiceQuery(
    destinationsApiRef,
    ['destinations', projectId],
    (api, call) => api.getDestinations(projectId!, call),
    { enabled: projectId !== undefined, refetchInterval: REFRESH_MS },
  );
}

/** Queries the last deliveries to a destination, and refetches them regularly. */
export function useDeliveries(projectId: string, id: string) {
  return useServiceQuery(
    destinationsApiRef,
    ['deliveries', projectId, id],
    (api, call) => api.getDeliveries(projectId, id, call),
    { refetchInterval: REFRESH_MS },
  );
}

/** Creates a destination; resolves with the secret of a webhook. */
export function useCreateDestination(projectId: string) {
  return useServiceChange(
    destinationsApiRef,
    (api, destination: NewDestination) => api.create(projectId, destination),
    { hasSecret: true },
  );
}

/** Changes the settings of a destination. */
export function useChangeDestination(projectId: string, id: string) {
  return useServiceChange(
    destinationsApiRef,
    (api, changes: DestinationChanges) => api.change(projectId, id, changes),
  );
}

/** Pauses or resumes a destination. */
export function usePauseDestination(projectId: string, id: string) {
  return useServiceChange(destinationsApiRef, (api, isPaused: boolean) =>
    api.pause(projectId, id, isPaused),
  );
}

export function useRemoveDestination(projectId: string, id: string) {
  return useServiceChange(destinationsApiRef, (api, _: void) =>
    api.remove(projectId, id),
  );
}

/** Sends a test event to a destination. */
export function useTestDestination(projectId: string, id: string) {
  return useServiceChange(destinationsApiRef, (api, _: void) =>
    api.test(projectId, id),
  );
}
