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

/** Calls of the fake service, on its state. */
export function fakeUsage(state: FakeState): UsageCalls {
  return {
    async getApplicationUsage(): Promise<ApplicationUsage[]> {
      return state.respond('getApplicationUsage', state.applicationUsage);
    },

    async getMetrics(): Promise<FlagMetrics> {
      return state.respond('getMetrics', state.metrics);
    },

    async getUsage(
      _name: string,
      _query: { interval: Interval; count: number },
    ): Promise<UsagePoint[]> {
      return state.respond('getUsage', state.usage);
    },

    async getRecentUsage(): Promise<Map<string, UsagePoint[]>> {
      return state.respond(
        'getRecentUsage',
        new Map([['checkout', state.usage]]),
      );
    },

    async listApplications(): Promise<Application[]> {
      return state.respond('listApplications', state.applications);
    },

    async listUnknownFlags(): Promise<UnknownFlag[]> {
      return state.respond('listUnknownFlags', state.unknownFlags);
    },

    async listOutdatedSdks(): Promise<OutdatedSdk[]> {
      return state.respond('listOutdatedSdks', state.outdatedSdks);
    },
  };
}
