import type { FlagExport, ImportReport, TransferCalls } from '../api/transfer';
import type { FakeState } from './FakeState';

/** Imports and exports of the fake service. */
export function fakeTransfer(state: FakeState): TransferCalls {
  return {
    async exportFlags(): Promise<FlagExport> {
      return state.respond('exportFlags', { version: 4, features: [] });
    },

    async importFlags(
      data: FlagExport,
      { dryRun }: { dryRun: boolean },
    ): Promise<ImportReport> {
      const report = state.respond('importFlags', state.importReport);
      if (!dryRun) {
        state.imported.push(data);
      }
      return report;
    },
  };
}
