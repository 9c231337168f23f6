import type { Logger } from 'pino';
import type { Static, TObject } from 'typebox';
import type { Auth } from '../auth/createAuth.ts';
import type { CredentialUses } from '../auth/CredentialUses.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import type { Database } from '../database/openDatabase.ts';
import type { Health, HealthFormat } from '../health/Health.ts';
import type { ServiceApp } from '../http/ServiceApp.ts';
import type { RateLimits } from '../limits/RateLimits.ts';
import type { Metrics } from '../metrics/Metrics.ts';
import type { Outbox } from '../outbox/Outbox.ts';
import type { PeriodicWork } from './PeriodicWork.ts';
import type { ErrorFormat } from '../errors/ErrorFormat.ts';

/** Everything that the kit provides to a service. */
export interface ServiceKit<C extends CommonConfig = CommonConfig> {
  /** The app to register the service's routes on; each sets `config: { access }`. */
  readonly app: ServiceApp;
  /** The configuration section of the service, validated and with defaults. */
  readonly config: C;
  /** Addresses of the portal without a trailing slash: its API (`baseUrl`) and its pages (`appUrl`). */
  readonly portal: CommonConfig['portal'];
  readonly database: Database;
  readonly auth: Auth;
  /** Remembers when credentials were last used; notes those that `auth` accepts automatically. */
  readonly uses: CredentialUses;
  /** Counts what is not counted per request: `limits.consume`. */
  readonly limits: RateLimits;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Sends webhooks, from `start` on. */
  readonly outbox: Outbox;
  readonly logger: Logger;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** The root of the repository, the base of relative file names in the configuration. */
  readonly root: string;
  /** The version of the platform. */
  readonly version: string;
  /** True in production, where development features are disabled. */
  readonly isProduction: boolean;
  /** Runs work when the service starts and then at an interval until it stops. */
  every(work: PeriodicWork): void;
  /** Runs once the service listens, e.g. to start jobs; not in tests that only use `inject`. */
  onStart(work: () => void | Promise<void>): void;
  /** Runs after pending requests have been answered, while the database is still open. */
  onStop(work: () => void | Promise<void>): void;
}

/** The configuration of a service: its own keys and the common ones. */
export type ConfigOf<S extends TObject> = Static<S> & CommonConfig;

/** Everything that is specific to one service. */
export interface ServiceDefinition<S extends TObject = TObject> {
  /** Lower-case with hyphens; used in logs, traces and file names. */
  name: string;
  /** The title of the OpenAPI description. */
  title: string;
  /** Top-level key of its configuration section. */
  configKey: string;
  /** The schema of its own configuration keys, in addition to the common ones. */
  configSchema: S;
  /** Defaults of its configuration. */
  defaults: {
    /** The port to listen on. */
    port: number;
    /** Requests per minute for each credential. */
    perMinute: number;
    /** Maximum bytes of a body from a known sender; 1 MiB by default. */
    bodyLimit?: number;
  };
  /**
   * Whether each path is also accepted with a trailing slash, for clients of servers that accept
   * it; two paths that differ only in the slash are then the same.
   */
  ignoreTrailingSlash?: boolean;
  /** Maps paths that clients use to the paths of the routes; receives path and query unchanged. */
  rewriteUrl?(url: string): string;
  /** Called with the path of each request that matches no route, without its query. */
  onUnknownPath?(path: string): void;
  /** The format of its errors. */
  errors: ErrorFormat;
  /** Directory of its migrations. */
  migrations?: URL;
  /** The body of `/health`, if the contract requires another than the kit's. */
  health?: HealthFormat;
  /** Registers its routes and starts its parts; the database is already migrated. */
  setUp(kit: ServiceKit<ConfigOf<S>>): void | Promise<void>;
}

/** Types a definition by its configuration schema. */
export function defineService<S extends TObject>(
  definition: ServiceDefinition<S>,
): ServiceDefinition<S> {
  return definition;
}
