import type {
  Application,
  ApplicationUsage,
  FlagMetrics,
  Interval,
  OutdatedSdk,
  UsageCalls,
  UnknownFlag,
  UsagePoint,
} from '../api/usage';
import type { FakeState } from './FakeState';

/** Answers calls from what a fake service holds. */
export function fakeUsage(state: FakeState): UsageCalls {
  return {
    async getApplicationUsage(): Promise<ApplicationUsage[]> {
      return state.answer('getApplicationUsage', state.applicationUsage);
    },

    async getMetrics(): Promise<FlagMetrics> {
      return state.answer('getMetrics', state.metrics);
    },

    async getUsage(
      _name: string,
      _query: { interval: Interval; count: number },
    ): Promise<UsagePoint[]> {
      return state.answer('getUsage', state.usage);
    },

    async getRecentUsage(): Promise<Map<string, UsagePoint[]>> {
      return state.answer(
        'getRecentUsage',
        new Map([['checkout', state.usage]]),
      );
    },

    async listApplications(): Promise<Application[]> {
      return state.answer('listApplications', state.applications);
    },

    async listUnknownFlags(): Promise<UnknownFlag[]> {
      return state.answer('listUnknownFlags', state.unknownFlags);
    },

    async listOutdatedSdks(): Promise<OutdatedSdk[]> {
      return state.answer('listOutdatedSdks', state.outdatedSdks);
    },
  };
}
