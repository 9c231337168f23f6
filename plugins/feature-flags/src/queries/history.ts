import {
  useServiceChange,
  useServiceEvents,
  useServiceQuery,
} from '@slipway/app-react';
import { type FlagsApi, flagsApiRef } from '../api/FlagsApi';

/** Refetches the data of pages after every change, in this window or elsewhere. */
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

/** Reads the history of a flag, newest first. */
export function useHistory(name: string) {
  return useServiceQuery(flagsApiRef, ['history', name], (api, call) =>
    api.getHistory(name, call),
  );
}
