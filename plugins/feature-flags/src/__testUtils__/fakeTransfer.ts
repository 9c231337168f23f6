import type { FlagExport, ImportReport, TransferCalls } from '../api/transfer';
import type { FakeState } from './FakeState';

/** Answers imports and exports from what a fake service holds. */
export function fakeTransfer(state: FakeState): TransferCalls {
  return {
    async exportFlags(): Promise<FlagExport> {
      return state.answer('exportFlags', { version: 4, features: [] });
    },

    async importFlags(
      data: FlagExport,
      { dryRun }: { dryRun: boolean },
    ): Promise<ImportReport> {
      const report = state.answer('importFlags', state.importReport);
      if (!dryRun) {
        state.imported.push(data);
      }
      return report;
    },
  };
}
