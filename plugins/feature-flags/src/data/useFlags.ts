import { useApi } from '@backstage/frontend-plugin-api';
import { useQuery } from '@tanstack/react-query';
import { flagsApiRef } from '../api/FlagsApi';
import type { Interval } from '../api/types';

/** SDKs report each minute: what is shown is about as old. */
const USAGE_EVERY_MS = 30_000;

/** Bars of a chart. */
const POINTS: Readonly<Record<Interval, number>> = { hour: 24, day: 30 };

/** A flag of the portal itself; on while the portal does not say. */
function usePortalFlag(name: 'portal.flag-usage') {
  const api = useApi(flagsApiRef);
  const { data, isPending } = useQuery({
    queryKey: ['portal-flags'],
    queryFn: ({ signal }) => api.getPortalFlags({ signal }),
  });
  return { isPending, isOn: data?.[name] ?? true };
}

/** What the reader may do. */
export function useUser() {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['user'],
    queryFn: ({ signal }) => api.getUser({ signal }),
  });
}

/** Tells whether to offer changes; false until that is known. */
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

/** Reads the usage of all flags in 24 hours, unless the portal was told not to ask for that. */
export function useRecentUsage() {
  const api = useApi(flagsApiRef);
  const { isPending, isOn } = usePortalFlag('portal.flag-usage');
  const usage = useQuery({
    queryKey: ['recent-usage'],
    queryFn: ({ signal }) => api.getRecentUsage({ signal }),
    refetchInterval: USAGE_EVERY_MS,
    enabled: !isPending && isOn,
  });
  return { isShown: isOn, data: isOn ? usage.data : undefined };
}

/** Usage of the last hour, and who asked. */
export function useMetrics(name: string) {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['metrics', name],
    queryFn: ({ signal }) => api.getMetrics(name, { signal }),
    refetchInterval: USAGE_EVERY_MS,
  });
}

/** Reads the usage of a flag in the last 24 hours or 30 days, depending on the interval. */
export function useUsage(name: string, interval: Interval) {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['usage', name, interval],
    queryFn: ({ signal }) =>
      api.getUsage(name, { interval, count: POINTS[interval] }, { signal }),
    refetchInterval: USAGE_EVERY_MS,
  });
}

/** What was changed, newest first. */
export function useHistory(name: string) {
  const api = useApi(flagsApiRef);
  return useQuery({
    queryKey: ['history', name],
    queryFn: ({ signal }) => api.getHistory(name, { signal }),
  });
}

/** Tokens without their secrets, those of the configuration too. */
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
