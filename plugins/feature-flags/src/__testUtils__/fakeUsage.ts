import {
  ALL_ENVIRONMENTS,
  type Application,
  type ApplicationUsage,
  type FlagMetrics,
  type OutdatedSdk,
  type UsageCalls,
  type UnknownFlag,
  type UsagePoint,
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
      { environment }: { environment: string },
    ): Promise<UsagePoint[]> {
      return state.respond(
        'getUsage',
        environment === ALL_ENVIRONMENTS
          ? state.usage
          : (state.usageIn.get(environment) ?? []),
      );
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
