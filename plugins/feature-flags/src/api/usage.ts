import type { ServiceClient } from '@slipway/app-react';
import type { CallOptions } from './CallOptions';
import { featurePath } from './paths';

/** How often a flag was on and off from a point in time to the next. */
export interface UsagePoint {
  /** When the span begins, ISO 8601. */
  timestamp: string;
  yes: number;
  no: number;
}

/** Length of the times that usage is shown by. */
export type Interval = 'hour' | 'day';

/** Usage of the last hour, and who asked. */
export interface FlagMetrics {
  lastHourUsage: { yes: number; no: number };
  seenApplications: readonly string[];
}

/** What one application asked of a flag in one environment. */
export interface ApplicationUsage {
  appName: string;
  environment: string;
  yes: number;
  no: number;
  /** How often each variant was given. */
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

/** A flag that applications ask for and that does not exist. Times are ISO 8601. */
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
  /** What each application asked of a flag in 24 hours, by environment. */
  getApplicationUsage(
    name: string,
    options?: CallOptions,
  ): Promise<ApplicationUsage[]>;
  getMetrics(name: string, options?: CallOptions): Promise<FlagMetrics>;
  /** Counts in order of time, for that many hours or days up to now. */
  getUsage(
    name: string,
    query: { interval: Interval; count: number },
    options?: CallOptions,
  ): Promise<UsagePoint[]>;
  /** Usage of the last 24 hours by flag name; flags without usage are left out. */
  getRecentUsage(options?: CallOptions): Promise<Map<string, UsagePoint[]>>;
  /** Applications that have registered, those seen last first. */
  listApplications(options?: CallOptions): Promise<Application[]>;
  /** Flags that applications ask for and that do not exist, last seen first. */
  listUnknownFlags(options?: CallOptions): Promise<UnknownFlag[]>;
  /** Versions of SDKs that applications should replace. */
  listOutdatedSdks(options?: CallOptions): Promise<OutdatedSdk[]>;
}

/** {@link UsageCalls} of the service. */
export function usageCalls(admin: ServiceClient): UsageCalls {
  return {
    async getApplicationUsage(
      name: string,
      options?: CallOptions,
    ): Promise<ApplicationUsage[]> {
      const { applications } = await admin.json<{
        applications: ApplicationUsage[];
      }>(`/metrics${featurePath(name)}/applications`, options);
      return applications;
    },

    getMetrics(name: string, options?: CallOptions): Promise<FlagMetrics> {
      return admin.json(`/metrics${featurePath(name)}`, options);
    },

    async getUsage(
      name: string,
      query: { interval: Interval; count: number },
      options?: CallOptions,
    ): Promise<UsagePoint[]> {
      const { usage } = await admin.json<{ usage: UsagePoint[] }>(
        `/metrics${featurePath(name)}/usage`,
        { ...options, query },
      );
      return usage;
    },

    async getRecentUsage(
      options?: CallOptions,
    ): Promise<Map<string, UsagePoint[]>> {
      const { features } = await admin.json<{
        features: { featureName: string; usage: UsagePoint[] }[];
      }>('/metrics/usage', {
        ...options,
        query: { interval: 'hour', count: 24 },
      });
      return new Map(features.map(one => [one.featureName, one.usage]));
    },

    async listApplications(options?: CallOptions): Promise<Application[]> {
      const { applications } = await admin.json<{
        applications: Application[];
      }>('/metrics/applications', options);
      return applications;
    },

    async listUnknownFlags(options?: CallOptions): Promise<UnknownFlag[]> {
      const { unknownFlags } = await admin.json<{
        unknownFlags: UnknownFlag[];
      }>('/metrics/unknown-flags', options);
      return unknownFlags;
    },

    async listOutdatedSdks(options?: CallOptions): Promise<OutdatedSdk[]> {
      const { sdks } = await admin.json<{ sdks: OutdatedSdk[] }>(
        '/metrics/sdks/outdated',
        options,
      );
      return sdks;
    },
  };
}
