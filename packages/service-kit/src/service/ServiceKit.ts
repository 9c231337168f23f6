import type { Logger } from 'pino';
import type { Static, TObject } from 'typebox';
import type { Auth } from '../auth/createAuth.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import type { Database } from '../database/openDatabase.ts';
import type { Health, HealthFormat } from '../health/Health.ts';
import type { ServiceApp } from '../http/ServiceApp.ts';
import type { RateLimits } from '../limits/RateLimits.ts';
import type { Metrics } from '../metrics/Metrics.ts';
import type { Outbox } from '../outbox/Outbox.ts';
import type { PeriodicWork } from './PeriodicWork.ts';
import type { ErrorFormat } from '../errors/ErrorFormat.ts';

/** What the kit gives to a service. */
export interface ServiceKit<C extends CommonConfig = CommonConfig> {
  /** Takes the service's routes; each says `config: { access }`. */
  readonly app: ServiceApp;
  /** The service's section, checked and with its defaults. */
  readonly config: C;
  /** Addresses of the portal: its API (`baseUrl`) and its pages (`appUrl`). */
  readonly portal: CommonConfig['portal'];
  readonly database: Database;
  readonly auth: Auth;
  /** Counts what is not counted by the request: `limits.consume`. */
  readonly limits: RateLimits;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Webhooks out; sends from `start` on. */
  readonly outbox: Outbox;
  readonly logger: Logger;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** The version of the platform. */
  readonly version: string;
  /** True in production, where what is meant for development is left out. */
  readonly isProduction: boolean;
  /** Does something at once when the service starts, and every so often until it stops. */
  every(work: PeriodicWork): void;
  /** Runs once the service listens, e.g. to start jobs; not in tests that only inject. */
  onStart(work: () => void | Promise<void>): void;
  /** Runs when requests have been answered and the database is still open. */
  onStop(work: () => void | Promise<void>): void;
}

/** The configuration of a service: its own keys and those that all have. */
export type ConfigOf<S extends TObject> = Static<S> & CommonConfig;

/** All that makes a service one of its own. */
export interface ServiceDefinition<S extends TObject = TObject> {
  /** Lower-case with hyphens: in logs, traces and file names. */
  name: string;
  /** The title of the OpenAPI description, for people. */
  title: string;
  /** Top-level key of its section of the configuration. */
  configKey: string;
  /** What its section holds beside the keys that all services have. */
  configSchema: S;
  /** What the configuration may leave out. */
  defaults: {
    /** To listen on. */
    port: number;
    /** Requests of one credential in a minute. */
    perMinute: number;
    /** Bytes of a body whose sender is known; 1 MiB when left out. */
    bodyLimit?: number;
  };
  /**
   * Whether each path is also taken with a slash at its end, as clients write it whose
   * server does so; two paths that differ by nothing else are then one.
   */
  ignoreTrailingSlash?: boolean;
  /** Leads paths that clients use to those of the routes; given path and query as they came. */
  rewriteUrl?(url: string): string;
  /** How its errors are worded. */
  errors: ErrorFormat;
  /** Directory of its migrations. */
  migrations?: URL;
  /** Body of `/health`, where the contract asks for another than the kit's. */
  health?: HealthFormat;
  /** Registers its routes and starts what it needs, on a migrated database. */
  setUp(kit: ServiceKit<ConfigOf<S>>): void | Promise<void>;
}

/** Types a definition by its own configuration schema. */
export function defineService<S extends TObject>(
  definition: ServiceDefinition<S>,
): ServiceDefinition<S> {
  return definition;
}
