import { useFlag, useServiceQuery } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { Interval } from '../api/usage';

/** SDKs report every minute, so more frequent requests would gain little. */
const USAGE_EVERY_MS = 30_000;

/** The number of bars in a chart. */
const POINTS: Readonly<Record<Interval, number>> = { hour: 24, day: 30 };

/** Reads the usage of a flag in the last 24 hours by application. */
export function useApplicationUsage(name: string) {
  return useServiceQuery(
    flagsApiRef,
    ['application-usage', name],
    (api, call) => api.getApplicationUsage(name, call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Reads the usage of all flags in the last 24 hours, if the portal's own flag for that is on. */
export function useRecentUsage() {
  const isShown = useFlag('portal.flag-usage', true);
  const usage = useServiceQuery(
    flagsApiRef,
    ['recent-usage'],
    (api, call) => api.getRecentUsage(call),
    { refetchInterval: USAGE_EVERY_MS, enabled: isShown },
  );
  return { isShown, data: isShown ? usage.data : undefined };
}

/** Reads the usage of a flag in the last hour, and its applications. */
export function useMetrics(name: string, environment: string) {
  return useServiceQuery(
    flagsApiRef,
    ['metrics', name, environment],
    (api, call) => api.getMetrics(name, { environment }, call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Reads the usage of a flag in the last 24 hours or 30 days, depending on the interval. */
export function useUsage(
  name: string,
  query: { environment: string; interval: Interval },
) {
  const { environment, interval } = query;
  return useServiceQuery(
    flagsApiRef,
    ['usage', name, environment, interval],
    (api, call) =>
      api.getUsage(name, { ...query, count: POINTS[interval] }, call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Reads the applications that use flags. */
export function useApplications() {
  return useServiceQuery(
    flagsApiRef,
    ['applications'],
    (api, call) => api.listApplications(call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Reads the flags that applications request but that do not exist. */
export function useUnknownFlags() {
  return useServiceQuery(
    flagsApiRef,
    ['unknown-flags'],
    (api, call) => api.listUnknownFlags(call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Reads the versions of SDKs that applications should replace. */
export function useOutdatedSdks() {
  return useServiceQuery(flagsApiRef, ['outdated-sdks'], (api, call) =>
    api.listOutdatedSdks(call),
  );
}
