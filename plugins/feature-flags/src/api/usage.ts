import type { ServiceClient, CallOptions } from '@slipway/app-react';
import { featurePath } from './flags';

/** The number of times that a flag was on and off in one interval. */
export interface UsagePoint {
  /** The start of the interval, ISO 8601. */
  timestamp: string;
  yes: number;
  no: number;
}

/** The length of an interval. */
export type Interval = 'hour' | 'day';

/** The name that means all environments. */
export const ALL_ENVIRONMENTS = '*';

/** Usage of a flag in the last hour, and the applications that requested it. */
export interface FlagMetrics {
  lastHourUsage: { yes: number; no: number };
  seenApplications: readonly string[];
}

/** Usage of a flag by one application in one environment. */
export interface ApplicationUsage {
  appName: string;
  environment: string;
  yes: number;
  no: number;
  /** Evaluations by variant. */
  variants: Readonly<Record<string, number>>;
  /** The hour of the latest evaluation, ISO 8601. */
  lastHour: string;
}

/** An application that uses flags. */
export interface Application {
  appName: string;
  instances: number;
  /** e.g. `unleash-client-node:6.12.1`. */
  sdkVersions: readonly string[];
  /** ISO 8601. */
  seenAt: string;
}

/** A flag that applications request but that does not exist. Times are ISO 8601. */
export interface UnknownFlag {
  name: string;
  lastSeenAt: string;
  reports: readonly {
    appName: string;
    environments: readonly { environment: string; seenAt: string }[];
  }[];
}

/** A version of an SDK that applications should replace. */
export interface OutdatedSdk {
  sdkVersion: string;
  /** The oldest version that is not outdated. */
  minimum: string;
  applications: readonly { appName: string; environment: string }[];
}

/** Evaluations, and the applications that report them. */
export interface UsageCalls {
  /** Reads the usage of a flag in the last 24 hours by application and environment. */
  getApplicationUsage(
    name: string,
    options?: CallOptions,
  ): Promise<ApplicationUsage[]>;
  getMetrics(
    name: string,
    query: { environment: string },
    options?: CallOptions,
  ): Promise<FlagMetrics>;
  /** Reads the usage in the last hours or days, in order of time. */
  getUsage(
    name: string,
    query: { environment: string; interval: Interval; count: number },
    options?: CallOptions,
  ): Promise<UsagePoint[]>;
  /** Reads the usage of all environments in the last 24 hours by flag name, without unused flags. */
  getRecentUsage(options?: CallOptions): Promise<Map<string, UsagePoint[]>>;
  /** Lists registered applications, most recently seen first. */
  listApplications(options?: CallOptions): Promise<Application[]>;
  /** Lists flags that applications request but that do not exist, most recently seen first. */
  listUnknownFlags(options?: CallOptions): Promise<UnknownFlag[]>;
  /** Lists versions of SDKs that applications should replace. */
  listOutdatedSdks(options?: CallOptions): Promise<OutdatedSdk[]>;
}

/** {@link UsageCalls} of the service. */
export function usageCalls(admin: ServiceClient): UsageCalls {
  return {
    async getApplicationUsage(name, options) {
      const { applications } = await admin.json<{
        applications: ApplicationUsage[];
      }>(`/metrics${featurePath(name)}/applications`, options);
      return applications;
    },

    getMetrics(name, query, options) {
      return admin.json(`/metrics${featurePath(name)}`, { ...options, query });
    },

    async getUsage(name, query, options) {
      const { usage } = await admin.json<{ usage: UsagePoint[] }>(
        `/metrics${featurePath(name)}/usage`,
        { ...options, query },
      );
      return usage;
    },

    async getRecentUsage(options) {
      const { features } = await admin.json<{
        features: { featureName: string; usage: UsagePoint[] }[];
      }>('/metrics/usage', {
        ...options,
        query: { environment: ALL_ENVIRONMENTS, interval: 'hour', count: 24 },
      });
      return new Map(features.map(one => [one.featureName, one.usage]));
    },

    async listApplications(options) {
      const { applications } = await admin.json<{
        applications: Application[];
      }>('/metrics/applications', options);
      return applications;
    },

    async listUnknownFlags(options) {
      const { unknownFlags } = await admin.json<{
        unknownFlags: UnknownFlag[];
      }>('/metrics/unknown-flags', options);
      return unknownFlags;
    },

    async listOutdatedSdks(options) {
      const { sdks } = await admin.json<{ sdks: OutdatedSdk[] }>(
        '/metrics/sdks/outdated',
        options,
      );
      return sdks;
    },
  };
}
