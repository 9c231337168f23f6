import {
  type CommonConfig,
  defineService,
  readManifest,
  type ServiceKit,
  webhookAdminRoutes,
} from '@slipway/service-kit';
import { featureFlagsConfig, type FeatureFlagsConfig } from './config.ts';
import { flagErrors } from './errors.ts';
import { flagAccess, userRoutes } from './tokens/access.ts';
import { ApplicationStore } from './storage/ApplicationStore.ts';
import { applicationRoutes, metricsRoutes } from './usage/routes.ts';
import { FeatureAnswers } from './client/FeatureAnswers.ts';
import { featureRoutes, registerRoutes, usageRoutes } from './client/routes.ts';
import { FlagSnapshot } from './client/FlagSnapshot.ts';
import { createConfiguredFlags, FlagAdmin } from './flags/FlagAdmin.ts';
import { FlagStore } from './storage/FlagStore.ts';
import { flagRoutes } from './flags/routes.ts';
import { Follower, readRevisions } from './storage/revisions.ts';
import { History } from './storage/History.ts';
import { historyRoutes } from './history/routes.ts';
import { configuredTokens, TokenAdmin } from './tokens/TokenAdmin.ts';
import { TokenStore } from './storage/TokenStore.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { TokenRegistry } from './tokens/tokenAuthenticator.ts';
import { UsageStore } from './storage/UsageStore.ts';
import { FlagUsage } from './usage/FlagUsage.ts';
import { UsageIntake } from './usage/UsageIntake.ts';
import {
  enqueueFeatureWebhook,
  WEBHOOK_EVENTS,
} from './storage/featureWebhook.ts';

const { port, ...about } = readManifest(
  new URL('../package.json', import.meta.url),
);

/** The feature-flag service. */
export const featureFlags = defineService({
  ...about,
  configSchema: featureFlagsConfig,
  defaults: { port, perMinute: 1_000 },
  ignoreTrailingSlash: true,
  errors: flagErrors,
  migrations: new URL('../migrations/', import.meta.url),
  setUp: setUpService,
});

type Kit = ServiceKit<FeatureFlagsConfig & CommonConfig>;

const DAY_MS = 24 * 3_600_000;

/** Puts the service together, with flags and tokens in memory when it returns. */
async function setUpService(kit: Kit): Promise<void> {
  const { app, config, database, now, outbox } = kit;
  const { environment, admins } = config;
  const retentionMs = config.usage.retentionDays * DAY_MS;

  const store = new FlagStore({
    database,
    environment,
    tell: (trx, change) => enqueueFeatureWebhook(outbox, trx, change),
  });
  const snapshot = new FlagSnapshot(store);
  const flags = new FlagAdmin({
    flags: store,
    now,
    async changed() {
      await snapshot.refresh();
      outbox.wake();
    },
  });

  const configured = configuredTokens(config.tokens, { environment });
  const tokenStore = new TokenStore(database);
  const registry = new TokenRegistry({ store: tokenStore, configured });
  const tokens = new TokenAdmin({
    tokens: tokenStore,
    configured,
    environment,
    now,
    changed: () => registry.reload(),
  });

  const applications = new ApplicationStore(database);
  const usageStore = new UsageStore(database);
  const usage = new FlagUsage({ usage: usageStore, retentionMs, now });
  const intake = new UsageIntake({
    write: records => usageStore.add(records),
    isFlag: name => snapshot.has(name),
    retentionMs,
    now,
  });

  await createConfiguredFlags(flags, config.flags);
  const follower = new Follower({
    read: () => readRevisions(database.knex),
    follow: {
      flags: () => snapshot.refresh(),
      tokens: () => registry.reload(),
    },
  });
  await follower.look();
  kit.every({
    name: 'Following changes of flags',
    everyMs: config.pollMs,
    work: () => follower.look(),
  });
  scheduleRetention(kit, { usage: usageStore, applications, retentionMs });

  const access = flagAccess(kit.auth, { tokens: registry, admins, now });
  featureRoutes(app, { answers: new FeatureAnswers(snapshot), access });
  registerRoutes(app, { applications, access, now });
  usageRoutes(app, {
    usage: intake,
    isOthers: (name, projects) => snapshot.isOutside(name, projects),
    access,
  });
  flagRoutes(app, { flags, access });
  metricsRoutes(app, { flags, usage, access });
  applicationRoutes(app, { applications, access });
  historyRoutes(app, { history: new History(database), access });
  tokenRoutes(app, { tokens, access });
  webhookAdminRoutes(app, {
    path: '/api/admin/webhooks',
    access: access.write,
    outbox,
    events: WEBHOOK_EVENTS,
    format: {
      names: 'camelCase',
      listsConfigured: false,
      showsPayload: false,
      removed: 200,
    },
  });
  userRoutes(app, {
    access,
    admins,
    environment,
    publicUrl: config.publicUrl ?? `http://localhost:${config.listen.port}`,
  });
}

const HOUR_MS = 3_600_000;
/** Minutes serve the last hour alone; the second one is for clocks that differ. */
const MINUTES_KEPT_MS = 2 * HOUR_MS;

/** Forgets, every hour, what is too old to be asked for. */
function scheduleRetention(
  kit: ServiceKit,
  options: {
    usage: UsageStore;
    applications: ApplicationStore;
    retentionMs: number;
  },
): void {
  const { usage, applications, retentionMs } = options;
  kit.every({
    name: 'Forgetting old usage',
    everyMs: HOUR_MS,
    async work() {
      const now = kit.now();
      await usage.purge({ span: 'minute', before: now - MINUTES_KEPT_MS });
      await usage.purge({ span: 'hour', before: now - retentionMs });
      await applications.purge(now - retentionMs);
    },
  });
}
