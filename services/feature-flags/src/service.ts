import {
  type CommonConfig,
  defineService,
  entityRoutes,
  readManifest,
  type ServiceKit,
  webhookAdminRoutes,
} from '@slipway/service-kit';
import { Counter } from 'prom-client';
import { clientRoutes } from './client/routes.ts';
import { FeatureAnswers } from './client/FeatureAnswers.ts';
import { FlagSnapshot } from './client/FlagSnapshot.ts';
import { FlagStreams } from './client/FlagStreams.ts';
import { type Loss, reportDesk, reportRoutes } from './client/reportRoutes.ts';
import { streamRoutes } from './client/streamRoutes.ts';
import { featureFlagsConfig, type FeatureFlagsConfig } from './config.ts';
import { flagsPart } from './entities/flagsPart.ts';
import { flagErrors } from './errors.ts';
import type { KnownThings } from './flags/checkRules.ts';
import { environmentRoutes } from './flags/environmentRoutes.ts';
import { featureRoutes } from './flags/featureRoutes.ts';
import { createConfiguredFlags } from './flags/configuredFlags.ts';
import { FlagAdmin } from './flags/FlagAdmin.ts';
import { flagRoutes } from './flags/routes.ts';
import { tagRoutes } from './flags/tagRoutes.ts';
import { Evaluator } from './frontend/Evaluator.ts';
import { frontendRoutes } from './frontend/routes.ts';
import { historyRoutes } from './history/routes.ts';
import type { ApiToken } from './model/ApiToken.ts';
import { contextRoutes } from './registers/contextRoutes.ts';
import { registerEnvironmentRoutes } from './registers/environmentRoutes.ts';
import { projectRoutes } from './registers/projectRoutes.ts';
import {
  type Environments,
  openRegisters,
  readLegalValues,
} from './registers/registers.ts';
import { segmentRoutes } from './segments/routes.ts';
import { SegmentAdmin } from './segments/SegmentAdmin.ts';
import { ApplicationStore } from './storage/ApplicationStore.ts';
import {
  enqueueFeatureWebhook,
  WEBHOOK_EVENTS,
} from './storage/featureWebhook.ts';
import { FlagChanges } from './storage/FlagChanges.ts';
import { FlagStore } from './storage/FlagStore.ts';
import { History } from './storage/History.ts';
import { openRegisterStores } from './storage/registerStores.ts';
import { Follower, readRevisions } from './storage/revisions.ts';
import { SegmentStore } from './storage/SegmentStore.ts';
import { TokenStore } from './storage/TokenStore.ts';
import { UsageStore } from './storage/UsageStore.ts';
import { flagAccess, userRoutes } from './tokens/access.ts';
import { edgeRoutes } from './tokens/edgeRoutes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { TokenRegistry } from './tokens/tokenAuthenticator.ts';
import { configuredTokens, TokenAdmin } from './tokens/TokenAdmin.ts';
import { FlagUsage } from './usage/FlagUsage.ts';
import { applicationRoutes, metricsRoutes } from './usage/routes.ts';
import { UsageIntake } from './usage/UsageIntake.ts';

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
  const registers = openRegisters(
    openRegisterStores({ database, environment }),
    now,
  );
  const { environments, projects, contextFields } = registers;
  const store = new FlagStore({
    database,
    tell: (trx, change) =>
      enqueueFeatureWebhook(outbox, trx, change, environment),
  });
  const segmentStore = new SegmentStore(database);
  const snapshot = new FlagSnapshot({ flags: store, segments: segmentStore });
  const changed = async () => {
    await snapshot.refresh();
    outbox.wake();
  };
  const legalValues = () => readLegalValues(contextFields);
  const flags = new FlagAdmin({
    flags: store,
    legalValues,
    ensureProject: (id, by) =>
      projects.ensure({ id, name: id, description: '' }, by),
    now,
    changed,
  });
  const segments = new SegmentAdmin({
    segments: segmentStore,
    legalValues,
    now,
    changed,
  });
  const configured = configuredTokens(config.tokens);
  await ensureEnvironments(environments, [environment, ...configured]);
  const tokenStore = new TokenStore(database);
  const registry = new TokenRegistry({ store: tokenStore, configured });
  const streams = new FlagStreams({
    snapshot,
    isValid: token =>
      registry.holds(token) &&
      (token.expiresAt === null || token.expiresAt > now()),
    most: config.streams.most,
  });
  const reloadTokens = async () => {
    await registry.reload();
    streams.endInvalid();
  };
  const tokens = new TokenAdmin({
    tokens: tokenStore,
    configured,
    environment,
    isEnvironment: async name =>
      (await environments.list()).some(each => each.name === name),
    now,
    changed: reloadTokens,
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
  await createConfiguredFlags(flags, config.flags, environment);
  const follower = new Follower({
    read: () => readRevisions(database.knex),
    follow: { flags: () => snapshot.refresh(), tokens: reloadTokens },
  });
  await follower.look();
  kit.every({
    name: 'Following changes of flags',
    everyMs: config.pollMs,
    work: () => follower.look(),
  });
  scheduleRetention(kit, { usage: usageStore, applications, retentionMs });

  const access = flagAccess(kit.auth, { tokens: registry, admins, now });
  const desk = reportDesk({
    applications,
    usage: intake,
    isOthers: (name, shown) => snapshot.isOutside(name, shown),
    lose: countLosses(kit),
    now,
  });
  const answers = new FeatureAnswers(snapshot);
  clientRoutes(app, { answers, snapshot, access });
  streamRoutes(app, { snapshot, streams, access });
  await reportRoutes(app, { desk, access });
  const evaluator = new Evaluator(snapshot);
  await frontendRoutes(app, { evaluator, desk, access });
  edgeRoutes(app, { tokens: registry, access: access.anyone, now });

  const known: KnownThings = {
    isSegment: id => snapshot.segments.has(id),
    parentsOf: name =>
      snapshot.find(name)?.dependencies.map(({ feature }) => feature),
  };
  flagRoutes(app, { flags, known, environment, access });
  const ofFeatures = {
    flags,
    environments,
    projects,
    known,
    environment,
    access,
  };
  featureRoutes(app, ofFeatures);
  environmentRoutes(app, ofFeatures);
  tagRoutes(app, ofFeatures);
  segmentRoutes(app, { segments, access });
  projectRoutes(app, { projects, access });
  registerEnvironmentRoutes(app, { environments, access });
  contextRoutes(app, { contextFields, access });
  metricsRoutes(app, { flags, usage, environment, access });
  applicationRoutes(app, { applications, access });
  historyRoutes(app, { history: new History(database), access });
  entityRoutes(app, {
    access: kit.auth.portalUser(),
    part: flagsPart({
      flags,
      changes: new FlagChanges(database),
      environment,
      now,
    }),
    portal: { baseUrl: kit.portal.baseUrl, token: config.portalToken },
    now,
  });
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

/** Makes sure that there are the environments that the configuration names. */
async function ensureEnvironments(
  environments: Environments,
  named: readonly (string | ApiToken)[],
): Promise<void> {
  const names = named.map(each =>
    typeof each === 'string' ? each : each.environment,
  );
  for (const name of new Set(names.filter(each => each !== '*'))) {
    const type = name === 'production' ? name : 'development';
    await environments.ensure(
      { name, type, sortOrder: 0, enabled: true },
      'configuration',
    );
  }
}

/** Counts what reports say in vain. */
function countLosses(kit: Kit): (reason: Loss, count: number) => void {
  const losses = new Counter({
    name: 'feature_flags_usage_lost_total',
    help: 'Flags of usage reports that were not kept',
    labelNames: ['reason'],
    registers: [kit.metrics.registry],
  });
  return (reason, count) => losses.inc({ reason }, count);
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
    name: 'Deleting old usage',
    everyMs: HOUR_MS,
    async work() {
      const now = kit.now();
      await usage.purge({ span: 'minute', before: now - MINUTES_KEPT_MS });
      await usage.purge({ span: 'hour', before: now - retentionMs });
      await applications.purge(now - retentionMs);
    },
  });
}
