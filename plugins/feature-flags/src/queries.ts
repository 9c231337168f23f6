import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  pagesOfService,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import {
  type Flag,
  type FlagChanges,
  type FlagsApi,
  flagsApiRef,
  type Interval,
  type NewFlag,
  type NewSegment,
} from './api/FlagsApi';
import { flagsTranslationRef } from './translation';

/** What the pages, cards and dialogs of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(flagsTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./feature-flags',
    access: t('service.access'),
  };
});

/** SDKs report each minute: what is shown is about as old. */
const USAGE_EVERY_MS = 30_000;

/** Bars of a chart. */
const POINTS: Readonly<Record<Interval, number>> = { hour: 24, day: 30 };

/** A flag of the portal itself; on while the portal does not say. */
function usePortalFlag(name: 'portal.flag-usage') {
  const { data, isPending } = useServiceQuery(
    flagsApiRef,
    ['portal-flags'],
    (api, call) => api.getPortalFlags(call),
  );
  return { isPending, isOn: data?.[name] ?? true };
}

/** What the reader may do. */
export function useUser() {
  return useServiceQuery(flagsApiRef, ['user'], (api, call) =>
    api.getUser(call),
  );
}

/** Tells whether to offer changes; false until that is known. */
export function useMayChange(): boolean {
  return useUser().data?.mayChange ?? false;
}

/** Flags in use, or archived ones. */
export function useFlags(archived: boolean) {
  return useServiceQuery(flagsApiRef, ['flags', { archived }], (api, call) =>
    api.listFlags({ archived }, call),
  );
}

export function useFlag(name: string) {
  return useServiceQuery(flagsApiRef, ['flag', name], (api, call) =>
    api.getFlag(name, call),
  );
}

/** What a flag is in each environment. */
export function useEnvironments(flag: Pick<Flag, 'name' | 'project'>) {
  return useServiceQuery(
    flagsApiRef,
    ['environments', flag.project, flag.name],
    (api, call) => api.getEnvironments(flag, call),
  );
}

/** Constraints that rules share, by their ids. */
export function useSegments() {
  return useServiceQuery(flagsApiRef, ['segments'], (api, call) =>
    api.listSegments(call),
  );
}

/** Fields of the context that applications evaluate flags in. */
export function useContextFields() {
  return useServiceQuery(flagsApiRef, ['context-fields'], (api, call) =>
    api.listContextFields(call),
  );
}

/** Creates a segment; one with an id is changed. */
export function useSaveSegment() {
  return useServiceChange(
    flagsApiRef,
    (api, { id, ...segment }: NewSegment & { id?: number }) =>
      id === undefined
        ? api.createSegment(segment)
        : api.updateSegment(id, segment),
  );
}

export function useDeleteSegment() {
  return useServiceChange(flagsApiRef, (api, id: number) =>
    api.deleteSegment(id),
  );
}

/** Reads the usage of all flags in 24 hours, unless the portal was told not to ask for that. */
export function useRecentUsage() {
  const { isPending, isOn } = usePortalFlag('portal.flag-usage');
  const usage = useServiceQuery(
    flagsApiRef,
    ['recent-usage'],
    (api, call) => api.getRecentUsage(call),
    { refetchInterval: USAGE_EVERY_MS, enabled: !isPending && isOn },
  );
  return { isShown: isOn, data: isOn ? usage.data : undefined };
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

/** What was changed, newest first. */
export function useHistory(name: string) {
  return useServiceQuery(flagsApiRef, ['history', name], (api, call) =>
    api.getHistory(name, call),
  );
}

/** Tokens without their secrets, those of the configuration too. */
export function useTokens() {
  return useServiceQuery(flagsApiRef, ['tokens'], (api, call) =>
    api.listTokens(call),
  );
}

/** Names of applications that ask for flags. */
export function useApplications() {
  return useServiceQuery(
    flagsApiRef,
    ['applications'],
    (api, call) => api.listApplications(call),
    { refetchInterval: USAGE_EVERY_MS },
  );
}

export function useCreateFlag() {
  return useServiceChange(flagsApiRef, (api, flag: NewFlag) =>
    api.createFlag(flag),
  );
}

/** What is left out stays as it is; with an `etag` it fails where the flag has changed since. */
export function useUpdateFlag(name: string) {
  return useServiceChange(
    flagsApiRef,
    (api, { etag, ...changes }: FlagChanges & { etag?: string }) =>
      api.updateFlag(name, changes, { etag }),
  );
}

export function useToggleFlag(name: string) {
  return useServiceChange(flagsApiRef, (api, enabled: boolean) =>
    api.toggleFlag(name, enabled),
  );
}

export function useToggleEnvironment(flag: Pick<Flag, 'name' | 'project'>) {
  return useServiceChange(
    flagsApiRef,
    (api, change: { environment: string; enabled: boolean }) =>
      api.toggleEnvironment(flag, change),
  );
}

/** Takes whether the flag is to be in the archive: true puts it there, false revives it. */
export function useArchiveFlag(name: string) {
  return useServiceChange(flagsApiRef, (api, archived: boolean) =>
    archived ? api.archiveFlag(name) : api.reviveFlag(name),
  );
}

/** Resolves with the secret, which the service tells this once. */
export function useCreateToken() {
  return useServiceChange(
    flagsApiRef,
    (api, token: Parameters<FlagsApi['createToken']>[0]) =>
      api.createToken(token),
  );
}

export function useDeleteToken() {
  return useServiceChange(flagsApiRef, (api, id: string) =>
    api.deleteToken(id),
  );
}
