import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';

/** Flags that can be removed. */
export function useCleanUp() {
  return useServiceQuery(flagsApiRef, ['clean-up'], (api, call) =>
    api.listCleanUp(call),
  );
}

/** Lines of code that name a flag. */
export function useReferences(name: string) {
  return useServiceQuery(flagsApiRef, ['references', name], (api, call) =>
    api.listReferences(name, call),
  );
}

export function useOpenIssue(name: string) {
  return useServiceChange(flagsApiRef, api => api.openIssue(name));
}
