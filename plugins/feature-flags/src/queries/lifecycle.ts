import { useServiceQuery } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { FlagName } from '../api/flags';

/** SDKs report every minute, so more frequent requests would gain little. */
const STAGES_EVERY_MS = 60_000;

/** Reads the stage of each flag in use, or of each archived one, by name. */
export function useStages(archived: boolean) {
  return useServiceQuery(
    flagsApiRef,
    ['stages', { archived }],
    (api, call) => api.listStages({ archived }, call),
    { refetchInterval: STAGES_EVERY_MS },
  );
}

/** Reads the stages that a flag has entered, in order. */
export function useLifecycle({ project, name }: FlagName) {
  return useServiceQuery(
    flagsApiRef,
    ['lifecycle', project, name],
    (api, call) => api.getLifecycle({ project, name }, call),
    { refetchInterval: STAGES_EVERY_MS },
  );
}
