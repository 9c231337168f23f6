import { useFlag, useServiceQuery } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { Interval } from '../api/usage';

/** SDKs report each minute: what is shown is about as old. */
const USAGE_EVERY_MS = 30_000;

/** Bars of a chart. */
const POINTS: Readonly<Record<Interval, number>> = { hour: 24, day: 30 };

/** What each application asked of a flag in 24 hours. */
export function useApplicationUsage(name: string) {
  return useServiceQuery(
    flagsApiRef,
    ['application-usage', name],
    (api, call) => api.getApplicationUsage(name, call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Reads the usage of all flags in 24 hours while the portal's own flag for that is on. */
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

/** Usage of the last hour, and who asked. */
export function useMetrics(name: string) {
  return useServiceQuery(
    flagsApiRef,
    ['metrics', name],
    (api, call) => api.getMetrics(name, call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Reads the usage of a flag in the last 24 hours or 30 days, depending on the interval. */
export function useUsage(name: string, interval: Interval) {
  return useServiceQuery(
    flagsApiRef,
    ['usage', name, interval],
    (api, call) =>
      api.getUsage(name, { interval, count: POINTS[interval] }, call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Applications that ask for flags. */
export function useApplications() {
  return useServiceQuery(
    flagsApiRef,
    ['applications'],
    (api, call) => api.listApplications(call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Flags that applications ask for and that do not exist. */
export function useUnknownFlags() {
  return useServiceQuery(
    flagsApiRef,
    ['unknown-flags'],
    (api, call) => api.listUnknownFlags(call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

/** Versions of SDKs that applications should replace. */
export function useOutdatedSdks() {
  return useServiceQuery(flagsApiRef, ['outdated-sdks'], (api, call) =>
    api.listOutdatedSdks(call),
  );
}
