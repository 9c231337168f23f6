import { useApi } from '@backstage/frontend-plugin-api';
import { useQuery } from '@tanstack/react-query';
import { flagsApiRef } from '../api/FlagsApi';
import type { Interval } from '../api/types';

/** SDKs report each minute: what is shown is about as old. */
const USAGE_EVERY_MS = 30_000;

/** Bars of a chart. */
export const POINTS: Readonly<Record<Interval, number>> = { hour: 24, day: 30 };

/** What the reader may do. */
export function useUser() {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['user'],
    queryFn: ({ signal }) => api.getUser({ signal }),
  });
}

/** Whether to offer changes; not before that is known. */
export function useMayChange(): boolean {
  return useUser().data?.mayChange ?? false;
}

/** Flags in use, or archived ones. */
export function useFlags(archived: boolean) {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['flags', { archived }],
    queryFn: ({ signal }) => api.listFlags({ archived }, { signal }),
  });
}

export function useFlag(name: string) {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['flag', name],
    queryFn: ({ signal }) => api.getFlag(name, { signal }),
  });
}

export function useRecentUsage() {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['recent-usage'],
    queryFn: ({ signal }) => api.getRecentUsage({ signal }),
    refetchInterval: USAGE_EVERY_MS,
  });
}

export function useMetrics(name: string) {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['metrics', name],
    queryFn: ({ signal }) => api.getMetrics(name, { signal }),
    refetchInterval: USAGE_EVERY_MS,
  });
}

export function useUsage(name: string, interval: Interval) {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['usage', name, interval],
    queryFn: ({ signal }) =>
      api.getUsage(name, { interval, count: POINTS[interval] }, { signal }),
    refetchInterval: USAGE_EVERY_MS,
  });
}

export function useHistory(name: string) {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['history', name],
    queryFn: ({ signal }) => api.getHistory(name, { signal }),
  });
}

export function useTokens() {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => api.listTokens({ signal }),
  });
}

/** Names of applications that ask for flags. */
export function useApplications() {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => api.listApplications({ signal }),
    refetchInterval: USAGE_EVERY_MS,
  });
}
