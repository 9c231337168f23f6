import { useApi } from '@backstage/frontend-plugin-api';
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { eventsApiRef } from '../api/EventsApi';
import type { CapturedEvent, CredentialKind, EventsQuery } from '../api/types';

const LIVE_MS = 3_000;
const LIVE_ROWS = 50;
const NAMES = 200;

/** Projects, the engine, and whether the reader may make keys. */
export function useProjects() {
  const api = useApi(eventsApiRef);
  return useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => api.getProjects({ signal }),
  });
}

/** The newest events of the last day, asked for again and again unless paused. */
export function useLiveEvents(
  projectId: string | undefined,
  options: { event: string; isPaused: boolean },
) {
  const { event, isPaused } = options;
  const api = useApi(eventsApiRef);
  return useQuery({
    queryKey: ['live', projectId, event],
    enabled: projectId !== undefined,
    refetchInterval: isPaused ? false : LIVE_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { rows } = await api.query(
        projectId!,
        {
          select: ['*'],
          orderBy: ['timestamp desc'],
          limit: LIVE_ROWS,
          ...(event && { event }),
        },
        { signal },
      );
      return rows.map(([cell]) => cell as CapturedEvent);
    },
  });
}

/** Names of events, most frequent first, of the last 30 days. */
export function useEventNames(projectId: string | undefined) {
  const api = useApi(eventsApiRef);
  return useQuery({
    queryKey: ['names', projectId],
    enabled: projectId !== undefined,
    queryFn: async ({ signal }) => {
      const { rows } = await api.query(
        projectId!,
        { select: ['event', 'count()'], after: '-30d', limit: NAMES },
        { signal },
      );
      return rows.map(([name]) => String(name));
    },
  });
}

/**
 * Asks once project and query are known. An answer is old at once: whoever comes back to
 * a query sees what has happened since.
 */
export function useAnswer(
  projectId: string | undefined,
  query: EventsQuery | undefined,
) {
  const api = useApi(eventsApiRef);
  return useQuery({
    queryKey: ['answer', projectId, query],
    enabled: projectId !== undefined && query !== undefined,
    staleTime: 0,
    queryFn: ({ signal }) => api.query(projectId!, query!, { signal }),
  });
}

/** Keys and tokens without their secrets; asked once the project is known. */
export function useCredentials(projectId: string | undefined) {
  const api = useApi(eventsApiRef);
  return useQuery({
    queryKey: ['credentials', projectId],
    enabled: projectId !== undefined,
    queryFn: ({ signal }) => api.getCredentials(projectId!, { signal }),
  });
}

/** Resolves with the secret, which the service tells this once. */
export function useCreateCredential(projectId: string) {
  const api = useApi(eventsApiRef);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (credential: { kind: CredentialKind; name: string }) =>
      api.createCredential(projectId, credential),
    onSuccess: () =>
      client.invalidateQueries({ queryKey: ['credentials', projectId] }),
  });
}

/** Takes the id of a credential that was made here: those of the configuration stay. */
export function useRevokeCredential(projectId: string) {
  const api = useApi(eventsApiRef);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.revokeCredential(projectId, id),
    onSuccess: () =>
      client.invalidateQueries({ queryKey: ['credentials', projectId] }),
  });
}
