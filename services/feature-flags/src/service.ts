import path from 'node:path';
import {
  administrationRoute,
  type CommonConfig,
  defineService,
  entityRoutes,
  PortalClient,
  readManifest,
  type ServiceKit,
  webhookAdminRoutes,
  auditAdministration,
} from '@slipway/service-kit';
import { reportFlags } from './administration.ts';
import { requestsToReview } from './approval/requestsToReview.ts';
import { changeRequestRoutes } from './approval/routes.ts';
import { setUpCleanUp } from './cleanup/setUpCleanUp.ts';
import { clientRoutes } from './client/routes.ts';
import { FeatureResponses } from './client/FeatureResponses.ts';
import { FlagSnapshot } from './client/FlagSnapshot.ts';
import { FlagStreams } from './client/FlagStreams.ts';
import { reportRoutes } from './client/reportRoutes.ts';
import { streamRoutes } from './client/streamRoutes.ts';
import { featureFlagsConfig, type FeatureFlagsConfig } from './config.ts';
import { FlagDefinitions } from './definitions/FlagDefinitions.ts';
import { definitionRoutes } from './definitions/routes.ts';
import { flagsPart } from './entities/flagsPart.ts';
import { flagErrors } from './errors.ts';
import type { KnownThings } from './flags/checkRules.ts';
import { flagAdminRoutes } from './flags/adminRoutes.ts';
import { createConfiguredFlags } from './flags/configuredFlags.ts';
import { FlagAdmin } from './flags/FlagAdmin.ts';
import { lifecycleRoutes } from './lifecycle/routes.ts';
import { Evaluator } from './frontend/Evaluator.ts';
import { frontendRoutes } from './frontend/routes.ts';
import { ChangeStream } from './history/ChangeStream.ts';
import { historyRoutes } from './history/routes.ts';
import { prometheusRoutes } from './impact/prometheusRoutes.ts';
import { legalValuesOf } from './model/Registers.ts';
import { noticeRoutes } from './notices/routes.ts';
import { setUpNotices } from './notices/setUpNotices.ts';
import { playgroundRoutes } from './playground/routes.ts';
import { pastRoutes } from './past/routes.ts';
import { openRegisters } from './registers/registers.ts';
import { registerRoutes } from './registers/routes.ts';
import { scheduleRoutes } from './schedules/routes.ts';
import { setUpTimes } from './schedules/setUpTimes.ts';
import { segmentRoutes } from './segments/routes.ts';
import { SegmentAdmin } from './segments/SegmentAdmin.ts';
import { WEBHOOK_EVENTS } from './storage/featureWebhook.ts';
import { FlagPast } from './storage/FlagPast.ts';
import { FlagStore } from './storage/FlagStore.ts';
import { followReplicas } from './storage/followReplicas.ts';
import { History } from './storage/History.ts';
import { openRegisterStores } from './storage/registerStores.ts';
import { SegmentStore } from './storage/SegmentStore.ts';
import { TransferStore } from './storage/TransferStore.ts';
import { flagAccess, guardChanges, userRoutes } from './tokens/access.ts';
import { edgeRoutes } from './tokens/edgeRoutes.ts';
import { ProjectOwners } from './tokens/ProjectOwners.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { setUpTokens } from './tokens/setUpTokens.ts';
import { configuredTokens } from './tokens/TokenAdmin.ts';
import { transferRoutes } from './transfer/routes.ts';
import { Transfers } from './transfer/Transfers.ts';
import { applicationRoutes } from './usage/applicationRoutes.ts';
import { metricsRoutes } from './usage/routes.ts';
import { unknownFlagRoutes } from './usage/unknownFlagRoutes.ts';
import { setUpUsage } from './usage/setUpUsage.ts';

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

/** Sets up the service; flags and tokens are in memory when it resolves. */
async function setUpService(kit: Kit): Promise<void> {
  const { app, config, database, now, outbox } = kit;
  const { environment, admins } = config;
  const configured = configuredTokens(config.tokens);
  const registerStores = openRegisterStores({
    database,
    environment,
    configured,
  });
  const { notices, tell, openChannels } = setUpNotices(kit);
  const store = new FlagStore({ database, tell });
  const segmentStore = new SegmentStore(database);
  const snapshot = new FlagSnapshot({ flags: store, segments: segmentStore });
  const onChanged = async () => {
    await snapshot.refresh();
    outbox.wake();
  };
  const registers = openRegisters(registerStores, { now, onChanged });
  const { environments, projects, contextFields } = registers;
  const legalValues = async () => legalValuesOf(await contextFields.list());
  const protectedEnvironments = async () =>
    (await environments.list())
      .filter(each => each.protected)
      .map(({ name }) => name);
  const flags = new FlagAdmin({
    flags: store,
    legalValues,
    protectedEnvironments,
    ensureProject: (id, by) =>
      projects.ensure({ id, name: id, description: '', owner: null }, by),
    now,
    onChanged,
  });
  const segments = new SegmentAdmin({
    segments: segmentStore,
    legalValues,
    protectedEnvironments,
    now,
    onChanged,
  });
  const { registry, tokens } = await setUpTokens(kit, {
    environments,
    projects,
    configured,
  });
  const streams = new FlagStreams({
    snapshot,
    isValid: token => registry.isValid(token, now()),
    most: config.streams.most,
  });
  registry.onReload(() => streams.endInvalid());
  const { desk, usage, impact, unknown, applications, stages } = setUpUsage(
    kit,
    snapshot,
  );
  const { requests, schedules } = setUpTimes(kit, {
    flags,
    environments,
    impact,
    notices,
    onChanged,
  });
  await createConfiguredFlags(flags, config.flags, environment);
  await followReplicas(kit, {
    flags: () => snapshot.refresh(),
    tokens: () => registry.reload(),
  });

  const access = flagAccess(kit.auth, { tokens: registry, admins, now });
  const owners = new ProjectOwners({
    admins,
    portal: new PortalClient({
      baseUrl: kit.portal.baseUrl,
      token: config.portalToken,
    }),
    projectOf: name => snapshot.projectOf(name),
    projects: () => projects.list(),
    now,
  });
  auditAdministration(kit, { access: access.write });
  guardChanges(app, { access, owners });
  const responses = new FeatureResponses(snapshot);
  clientRoutes(app, { responses, snapshot, desk, access });
  streamRoutes(app, { snapshot, streams, desk, access });
  await reportRoutes(app, { desk, access });
  const evaluator = new Evaluator(snapshot);
  await frontendRoutes(app, { evaluator, desk, access });
  edgeRoutes(app, { tokens: registry, access: access.anyone, now });

  const known: KnownThings = {
    isSegment: id => snapshot.segments.has(id),
    parentsOf: name =>
      snapshot.find(name)?.dependencies.map(({ feature }) => feature),
  };
  const ofFeatures = {
    flags,
    environments,
    projects,
    known,
    environment,
    access,
  };
  flagAdminRoutes(app, { ...ofFeatures, requests, owners });
  lifecycleRoutes(app, { flags, stages, access, now });
  segmentRoutes(app, { segments, access });
  registerRoutes(app, { registers, environment, access });
  pastRoutes(app, {
    projects,
    environments,
    past: new FlagPast(database),
    environment,
    access,
    onChanged,
    now,
  });
  const transfers = new Transfers({
    store: new TransferStore({
      database,
      flags: store,
      registers: registerStores,
    }),
    environment,
    now,
    onChanged,
  });
  const definitions = new FlagDefinitions({ transfers, requests });
  if (config.definitions !== undefined) {
    const { applyConfigured } =
      await import('./definitions/applyConfigured.ts');
    await applyConfigured(
      definitions,
      path.resolve(kit.root, config.definitions),
    );
  }
  definitionRoutes(app, { definitions, access });
  transferRoutes(app, { transfers, environments, projects, access });
  changeRequestRoutes(app, { requests, environments, owners, access });
  playgroundRoutes(app, { snapshot, environments, projects, access });
  scheduleRoutes(app, {
    ...ofFeatures,
    schedules,
    requests,
    impact,
    owners,
    watchesBuilds: config.builds !== undefined,
  });
  metricsRoutes(app, { flags, usage, environment, access });
  const { minimumSdks } = config;
  applicationRoutes(app, { applications, minimumSdks, access });
  unknownFlagRoutes(app, { unknown, access });
  prometheusRoutes(app, { impact, access });
  setUpCleanUp(kit, {
    flags,
    environments,
    projects,
    isFlag: name => snapshot.find(name) !== undefined,
    access,
  });
  historyRoutes(app, {
    ...ofFeatures,
    history: new History(database),
    requests,
    owners,
    stream: new ChangeStream({ snapshot, most: config.streams.most }),
  });
  entityRoutes(app, {
    access: kit.auth.portalUser(),
    part: flagsPart({
      flags,
      history: new History(database),
      toReview: caller =>
        requestsToReview(caller, {
          requests,
          owners,
          projectOf: name => snapshot.projectOf(name),
        }),
      readOwners: () => owners.ofFlags(),
      environments,
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
  const channels = openChannels(registers);
  noticeRoutes(app, { channels, access });
  administrationRoute(kit, {
    access: access.write,
    webhooks: '/api/admin/webhooks',
    report: () => reportFlags({ admins, tokens, channels, outbox }),
  });
  userRoutes(app, {
    access,
    owners,
    admins,
    environment,
    publicUrl: config.publicUrl ?? `http://localhost:${config.listen.port}`,
  });
}
