import { EgressRules, type MinuteCounters } from '@slipway/platform-guards';
import type { Logger } from 'pino';
import type { TObject } from 'typebox';
import { createAuth } from '../auth/createAuth.ts';
import { CredentialUses } from '../auth/CredentialUses.ts';
import { PortalIdentity } from '../auth/PortalIdentity.ts';
import type { Database } from '../database/openDatabase.ts';
import { Health } from '../health/Health.ts';
import type { ServiceApp } from '../http/ServiceApp.ts';
import { RateLimits } from '../limits/RateLimits.ts';
import { Metrics } from '../metrics/Metrics.ts';
import { Outbox } from '../outbox/Outbox.ts';
import { WebhookEndpoints } from '../outbox/WebhookEndpoints.ts';
import { withoutSlash } from '../portal/PortalClient.ts';
import type { CleanUp } from './CleanUp.ts';
import { schedule } from './PeriodicWork.ts';
import type { ConfigOf, ServiceDefinition, ServiceKit } from './ServiceKit.ts';

/**
 * Interval for sending deliveries that no commit in this process triggered, e.g. retries and those
 * enqueued by another process.
 */
const SEND_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Builds the kit for a service, and the functions to run once it listens. */
export function createKit<S extends TObject>(options: {
  definition: ServiceDefinition<S>;
  app: ServiceApp;
  config: ConfigOf<S>;
  database: Database;
  counters: MinuteCounters;
  logger: Logger;
  now: () => number;
  repository: { root: string; version: string };
  isProduction: boolean;
  cleanUp: CleanUp;
}): { kit: ServiceKit<ConfigOf<S>>; startWork: () => Promise<void> } {
  const { definition, app, config, database, logger, now } = options;
  const starts: (() => void | Promise<void>)[] = [];
  const outbox = new Outbox({
    database,
    endpoints: new WebhookEndpoints({
      database,
      configured: config.webhooks,
      rules: new EgressRules(config.egress),
    }),
    logger,
    now,
  });
  options.cleanUp.add(() => outbox.stop());
  const uses = new CredentialUses({ database, now });
  options.cleanUp.add(() => uses.store());
  const kit: ServiceKit<ConfigOf<S>> = {
    app,
    config,
    portal: {
      baseUrl: withoutSlash(config.portal.baseUrl),
      appUrl: withoutSlash(config.portal.appUrl),
    },
    database,
    auth: createAuth({
      title: definition.title,
      apiKeys: config.auth.apiKeys,
      identity: new PortalIdentity({
        baseUrl: config.portal.baseUrl,
        service: definition.name,
        now,
      }),
      uses,
    }),
    uses,
    limits: new RateLimits({ counters: options.counters, now }),
    metrics: new Metrics({ logger, now }),
    health: new Health(database),
    outbox,
    logger,
    now,
    ...options.repository,
    isProduction: options.isProduction,
    every: work => schedule(kit, work),
    onStart: work => starts.push(work),
    onStop: work => options.cleanUp.add(work),
  };
  kit.every({
    name: 'Sending webhooks',
    everyMs: SEND_EVERY_MS,
    work: async () => outbox.wake(),
  });
  kit.every({
    name: 'Recording the use of credentials',
    everyMs: MINUTE_MS,
    work: () => uses.store(),
  });
  kit.every({
    name: 'Deleting old webhook deliveries',
    everyMs: HOUR_MS,
    work: () =>
      outbox.purge(now() - config.webhookDeliveries.retentionDays * DAY_MS),
  });
  const startWork = async () => {
    for (const start of starts) {
      await start();
    }
  };
  return { kit, startWork };
}
