import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';

/** Manages the destinations of a project's events. Methods reject like those of `EventsApi`. */
export interface DestinationsApi {
  getDestinations(
    projectId: string,
    options?: CallOptions,
  ): Promise<DestinationList>;
  /** Resolves with the secret of a webhook, which is returned only once. */
  create(
    projectId: string,
    destination: NewDestination,
  ): Promise<string | undefined>;
  /** Changes settings; omitted ones remain unchanged, including secrets. */
  change(
    projectId: string,
    id: string,
    changes: DestinationChanges,
  ): Promise<void>;
  pause(projectId: string, id: string, isPaused: boolean): Promise<void>;
  remove(projectId: string, id: string): Promise<void>;
  /** Sends a test event. */
  test(projectId: string, id: string): Promise<TestOutcome>;
  /** Lists the last 50 deliveries, newest first. */
  getDeliveries(
    projectId: string,
    id: string,
    options?: CallOptions,
  ): Promise<Delivery[]>;
}

/** {@link DestinationsApi} */
export const destinationsApiRef = createApiRef<DestinationsApi>().with({
  id: 'plugin.analytics.destinations',
  pluginId: 'analytics',
});

/** The kinds of destinations. */
export const DESTINATION_KINDS = ['webhook', 's3'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** The formats of files in buckets. */
export const FILE_FORMATS = ['ndjson', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** The periods by which the files of a bucket are split. */
export const FILE_INTERVALS = ['hour', 'day'] as const;
export type FileInterval = (typeof FILE_INTERVALS)[number];

/** The settings of a bucket that are not secret. */
export interface FileSettings {
  region: string;
  bucket: string;
  /** Prefix of the names of files; may be empty. */
  prefix: string;
  format: FileFormat;
  interval: FileInterval;
}

/** A destination of a project's events. Times are ISO 8601. */
export interface Destination {
  id: string;
  kind: DestinationKind;
  /** Its address, without secrets. */
  address: string;
  /** Names of events; all if omitted. */
  events?: string[];
  /** Settings of a bucket's files; undefined if they cannot be decrypted. */
  files?: FileSettings;
  /** True if the configuration declares it. */
  is_configured: boolean;
  /** False if its secrets were encrypted with another key. */
  is_readable: boolean;
  paused: boolean;
  /** Number of events received so far. */
  delivered: number;
  received_up_to?: string;
  last_success_at?: string;
  /** Number of failures since the last success. */
  failures: number;
  last_error?: string;
  next_attempt_at?: string;
}

/** The destinations of a project, and whether the service can store the secrets of further ones. */
export interface DestinationList {
  destinations: Destination[];
  can_create: boolean;
}

interface CommonSettings {
  id: string;
  /** Names of events; all if omitted. */
  events?: string[];
}

/** The settings of a new destination, as the service defines them. */
export type NewDestination =
  | (CommonSettings & { kind: 'webhook'; url: string })
  | (CommonSettings &
      Omit<FileSettings, 'region'> & {
        kind: 's3';
        endpoint: string;
        region?: string;
        access_key_id: string;
        secret_access_key: string;
      });

/** Changes of a destination's settings. */
export interface DestinationChanges extends Partial<FileSettings> {
  id?: string;
  /** Names of events; null for all. */
  events?: string[] | null;
  url?: string;
  /** Key of the signature of a webhook. */
  secret?: string;
  endpoint?: string;
  access_key_id?: string;
  secret_access_key?: string;
}

/** The outcome of a test. */
export interface TestOutcome {
  delivered: boolean;
  /** HTTP status of the response; null if there was none. */
  status: number | null;
  error: string | null;
  duration_ms: number;
}

/** One request to a destination. */
export interface Delivery extends Omit<TestOutcome, 'delivered'> {
  /** ISO 8601. */
  at: string;
  events: number;
  /** True if it only carried a test event. */
  test: boolean;
}
