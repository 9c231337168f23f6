import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import { flagAccess } from './access.ts';
import { DatabaseApplicationStore } from './applications/DatabaseApplicationStore.ts';
import { applicationRoutes } from './applications/routes.ts';
import { FeatureAnswers } from './client/FeatureAnswers.ts';
import { featureRoutes } from './client/featureRoutes.ts';
import { FlagSnapshot } from './client/FlagSnapshot.ts';
import { registerRoutes } from './client/registerRoutes.ts';
import { usageRoutes } from './client/usageRoutes.ts';
import type { FeatureFlagsConfig } from './config.ts';
import { createConfiguredFlags } from './flags/createConfiguredFlags.ts';
import { DatabaseFlagStore } from './flags/DatabaseFlagStore.ts';
import { FlagAdmin } from './flags/FlagAdmin.ts';
import { flagRoutes } from './flags/routes.ts';
import { Follower } from './Follower.ts';
import { DatabaseHistoryStore } from './history/DatabaseHistoryStore.ts';
import { historyRoutes } from './history/routes.ts';
import { readRevisions } from './revisions.ts';
import { scheduleRetention } from './scheduleRetention.ts';
import { configuredTokens } from './tokens/configuredTokens.ts';
import { DatabaseTokenStore } from './tokens/DatabaseTokenStore.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { TokenAdmin } from './tokens/TokenAdmin.ts';
import { TokenRegistry } from './tokens/TokenRegistry.ts';
import { DatabaseUsageStore } from './usage/DatabaseUsageStore.ts';
import { FlagUsage } from './usage/FlagUsage.ts';
import { metricsRoutes } from './usage/routes.ts';
import { UsageIntake } from './usage/UsageIntake.ts';
import { userRoutes } from './userRoutes.ts';
import { enqueueFeatureWebhook } from './webhooks/featureWebhook.ts';
import { webhookRoutes } from './webhooks/routes.ts';

type Kit = ServiceKit<FeatureFlagsConfig & CommonConfig>;

const DAY_MS = 24 * 3_600_000;

/** Puts the service together, with flags and tokens in memory when it returns. */
export async function setUpService(kit: Kit): Promise<void> {
  const { app, config, database, now, outbox } = kit;
  const { environment, admins } = config;
  const retentionMs = config.usage.retentionDays * DAY_MS;

  const store = new DatabaseFlagStore({
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
  const tokenStore = new DatabaseTokenStore(database);
  const registry = new TokenRegistry({ store: tokenStore, configured });
  const tokens = new TokenAdmin({
    tokens: tokenStore,
    configured,
    environment,
    now,
    changed: () => registry.reload(),
  });

  const applications = new DatabaseApplicationStore(database);
  const usageStore = new DatabaseUsageStore(database);
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
    logger: kit.logger,
  });
  await follower.look();
  kit.onStart(() => {
    follower.start(config.pollMs);
    kit.onStop(() => follower.stop());
  });
  scheduleRetention(kit, { usage: usageStore, applications, retentionMs });

  const access = flagAccess(kit.auth, { tokens: registry, admins });
  featureRoutes(app, { answers: new FeatureAnswers(snapshot), access });
  registerRoutes(app, { applications, access, now });
  usageRoutes(app, { usage: intake, access });
  flagRoutes(app, { flags, access });
  metricsRoutes(app, { flags, usage, access });
  applicationRoutes(app, { applications, access });
  historyRoutes(app, { history: new DatabaseHistoryStore(database), access });
  tokenRoutes(app, { tokens, access });
  webhookRoutes(app, { webhooks: kit.webhooks, outbox, access });
  userRoutes(app, {
    access,
    admins,
    environment,
    publicUrl: config.publicUrl ?? `http://localhost:${config.listen.port}`,
  });
}
