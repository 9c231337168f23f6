import { useServiceChange } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { FlagExport } from '../api/transfer';

/** Resolves with everything, as a file holds it. */
export function useExportFlags() {
  return useServiceChange(flagsApiRef, (api, _all: void) => api.exportFlags());
}

/** Imports an export, or reports what that would do. */
export function useImportFlags() {
  return useServiceChange(
    flagsApiRef,
    (api, { data, dryRun }: { data: FlagExport; dryRun: boolean }) =>
      api.importFlags(data, { dryRun }),
  );
}
