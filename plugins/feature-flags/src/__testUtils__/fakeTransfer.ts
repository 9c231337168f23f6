import type {
  FlagExport,
  ImportReport,
  TransferCalls,
  TransferPlace,
} from '../api/transfer';
import { type FakeState, refusalOf } from './FakeState';

/** Imports and exports of the fake service. */
export function fakeTransfer(state: FakeState): TransferCalls {
  return {
    async exportFlags(place: TransferPlace): Promise<FlagExport> {
      state.exported.push(place);
      return state.respond('exportFlags', { version: 4, features: [] });
    },

    async importFlags(
      data: FlagExport,
      {
        dryRun,
        etag,
        ...place
      }: TransferPlace & { dryRun: boolean; etag?: string },
    ): Promise<ImportReport> {
      if (etag !== undefined && etag !== state.importReport.etag) {
        throw await refusalOf({ status: 412, message: 'Flags have changed' });
      }
      const report = state.respond('importFlags', state.importReport);
      state.importPlace = place;
      if (!dryRun) {
        state.imported.push(data);
      }
      return report;
    },
  };
}
