import {
  useServiceChange,
  useServiceEvents,
  useServiceQuery,
} from '@slipway/app-react';
import { type FlagsApi, flagsApiRef } from '../api/FlagsApi';

/** Reads the pages anew when anything has changed, in this window or elsewhere. */
export function useLiveChanges(): void {
  useServiceEvents(flagsApiRef, followChanges);
}

function followChanges(
  api: FlagsApi,
  {
    onChange,
    signal,
  }: { onChange(revision: number): void; signal: AbortSignal },
): Promise<void> {
  return api.followChanges(onChange, { signal });
}

export function useRollBack() {
  return useServiceChange(flagsApiRef, (api, event: number) =>
    api.rollBack(event),
  );
}

/** What was changed, newest first. */
export function useHistory(name: string) {
  return useServiceQuery(flagsApiRef, ['history', name], (api, call) =>
    api.getHistory(name, call),
  );
}
