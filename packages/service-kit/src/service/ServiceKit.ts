import type { Logger } from 'pino';
import type { Auth } from '../auth/index.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import type { Database } from '../database/Database.ts';
import type { Health } from '../health/index.ts';
import type { ServiceApp } from '../http/ServiceApp.ts';
import type { RateLimits } from '../limits/RateLimits.ts';
import type { Metrics } from '../metrics/index.ts';
import type { DatabaseWebhookStore, Outbox } from '../outbox/index.ts';
import type { PeriodicWork } from './PeriodicWork.ts';

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
  /** Endpoints and deliveries of the outbox, for an admin API. */
  readonly webhooks: DatabaseWebhookStore;
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
