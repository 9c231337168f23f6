import {
  type CommonConfig,
  defineService,
  entityRoutes,
  type Metrics,
  readManifest,
  type ServiceKit,
  auditAdministration,
} from '@slipway/service-kit';
import { Counter, Gauge } from 'prom-client';
import { usagePart } from './entities/usagePart.ts';
import { analyticsErrors } from './errors.ts';
import { analyticsConfig, type AnalyticsConfig } from './config.ts';
import type { EventStore } from './store/EventStore.ts';
import { Backups } from './backup/Backups.ts';
import { backupRoutes } from './backup/routes.ts';
import { browserRoutes } from './capture/browserRoutes.ts';
import { Bursts } from './capture/Bursts.ts';
import { captureGuard } from './capture/captureGuard.ts';
import { Drops } from './capture/Drops.ts';
import { setUpDestinations } from './destinations/setUpDestinations.ts';
import { flagDefinitionRoutes } from './capture/flagDefinitionRoutes.ts';
import { openFlags } from './capture/FlagSource.ts';
import { captureRoutes } from './capture/routes.ts';
import type { DropReason } from './capture/sdkEvents.ts';
import { exportRoutes } from './export/routes.ts';
import { importRoutes } from './import/routes.ts';
import { sdkRoutes } from './capture/sdkRoutes.ts';
import type { AnalyticsEvent } from './events/AnalyticsEvent.ts';
import type { IngestionCounts, Intake } from './ingestion/IngestionCounts.ts';
import { ingestionRoutes } from './ingestion/routes.ts';
import { setUpIngestion } from './ingestion/setUpIngestion.ts';
import {
  apiTokenAccess,
  KnownCredentials,
} from './projects/KnownCredentials.ts';
import { type TokenScope } from './projects/Credential.ts';
import { ProjectStore } from './projects/ProjectStore.ts';
import { Projects } from './projects/Projects.ts';
import { guardProjects } from './projects/guardProjects.ts';
import { projectRoutes } from './projects/routes.ts';
import { ErasedIds } from './people/ErasedIds.ts';
import { setUpPeople } from './people/setUpPeople.ts';
import { ErasureStore } from './people/storage/ErasureStore.ts';
import { GroupStore } from './people/storage/GroupStore.ts';
import { PersonStore } from './people/storage/PersonStore.ts';
import { Answers } from './query/Answers.ts';
import { RecentAnswers } from './query/RecentAnswers.ts';
import { queryRoutes } from './query/routes.ts';
import { Annotations } from './annotations/Annotations.ts';
import { annotationRoutes } from './annotations/routes.ts';
import { AnnotationStore } from './annotations/storage/AnnotationStore.ts';
import { setUpDefinitions } from './definitions/setUpDefinitions.ts';
import { savedRoutes } from './saved/routes.ts';
import { SavedItems } from './saved/SavedItems.ts';
import { SavedStore } from './saved/storage/SavedStore.ts';
import { absolutePathOf, openEventStore } from './store/openEventStore.ts';

const { port, ...about } = readManifest(
  new URL('../package.json', import.meta.url),
);

/** Defines the analytics service; call it once per service. */
export function defineAnalytics() {
  let store: EventStore | undefined;
  let counts: IngestionCounts | undefined;
  return defineService({
    ...about,
    configSchema: analyticsConfig,
    defaults: { port, perMinute: 1_000 },
    ignoreTrailingSlash: true,
    onUnknownPath: path => counts?.unknownPath(path),
    errors: analyticsErrors,
    migrations: new URL('../migrations/', import.meta.url),
    health: ({ database, version, now }) => ({
      status: database === 'connected' ? 'ok' : 'degraded',
      version,
      database,
      ...(store && { engine: store.state().engine }),
      timestamp: now.toISOString(),
    }),
    async setUp(kit) {
      counts = setUpIngestion(kit);
      store = await setUpService(kit, counts);
    },
  });
}

/** Timeout for deleting a project; another call deletes the rest. */
const DELETE_TIMEOUT_MS = 60_000;

/**
 * Assembles the service.
 * @returns the store of events, for `/health`.
 */
async function setUpService(
  kit: ServiceKit<AnalyticsConfig & CommonConfig>,
  counts: IngestionCounts,
): Promise<EventStore> {
  const { app, auth, config, now } = kit;
  const projectStore = new ProjectStore(kit.database);
  const known = new KnownCredentials({ store: projectStore, now });
  const persons = new PersonStore(kit.database);
  const erasures = new ErasureStore({
    database: kit.database,
    key: await projectStore.secret('erasure-key'),
  });
  const erased = new ErasedIds(erasures);
  await erased.read();
  const store = openEventStore(kit, {
    config: config.events,
    persons,
    erased,
    retentions: () => projectStore.list(),
  });
  const projects = new Projects({
    store: projectStore,
    known,
    admins: config.admins,
    async deleteEvents(projectId) {
      const signal = AbortSignal.timeout(DELETE_TIMEOUT_MS);
      await store.applyPeople();
      await persons.removeProject(projectId);
      await store.deleteProject(projectId, signal);
    },
    now,
  });
  await projects.adopt(config.projects);
  guardProjects(app, projects);
  kit.health.addCheck('events', () => store.isAlive());
  const counters = exposeMetrics(kit.metrics, store);

  const tokensFor = (scope: TokenScope) =>
    auth.scoped(apiTokenAccess(known), scope);
  const users = auth.portalUser();
  const admins = auth.admin(config.admins);
  auditAdministration(kit, { access: admins });
  const tokensAndUsers = (scope: TokenScope) =>
    auth.anyOf(tokensFor(scope), users);
  const { drops } = await takeEvents(kit, {
    projects,
    known,
    store,
    counters,
    counts,
  });
  const answers = new Answers({
    query: (plan, asker) => store.query(plan, asker),
    versionOf: projectId => store.versionOf(projectId),
    now,
  });
  queryRoutes(app, {
    answers,
    recent: new RecentAnswers({ now }),
    projects,
    groupTypes: projectId => store.groupTypes(projectId),
    tokens: tokensFor('query'),
    tokensAndUsers: tokensAndUsers('query'),
    now,
  });
  exportRoutes(app, {
    projects,
    query: (plan, asker) => store.query(plan, asker),
    tokensAndUsers: tokensAndUsers('export'),
    now,
  });
  setUpPeople(kit, {
    persons,
    groups: new GroupStore(kit.database),
    erasures,
    erased,
    store,
    projects,
    answers,
    tokensAndUsers: tokensAndUsers('persons'),
    admins,
  });
  const { backups } = config.events;
  if (backups) {
    backupRoutes(app, {
      backups: new Backups({
        directory: absolutePathOf(backups),
        events: store,
        database: kit.database,
        logger: kit.logger,
        now,
      }),
      access: auth.anyOf(auth.bearer({ tokens: backups.tokens }), admins),
    });
  }
  const saved = new SavedStore(kit.database);
  savedRoutes(app, {
    items: new SavedItems({
      store: saved,
      projects,
      admins: config.admins,
      now,
    }),
    users,
  });
  annotationRoutes(app, {
    annotations: new Annotations({
      store: new AnnotationStore(kit.database),
      projects,
      admins: config.admins,
      now,
    }),
    users,
    readers: tokensAndUsers('query'),
  });
  await setUpDefinitions(kit, {
    store,
    projects,
    listProjects: () => projectStore.list(),
    savedQueries: async projectId =>
      (await saved.list(projectId, 'insight')).map(({ content }) => content),
    retentionDays: config.events.retentionDays,
    countSeconds: config.events.countSeconds,
    users,
    readers: tokensAndUsers('query'),
    admins,
  });
  projectRoutes(app, {
    projects,
    users,
    admins,
    adminGroups: config.admins,
    engine: () => store.state().engine,
  });
  ingestionRoutes(app, {
    projects,
    counts,
    drops,
    store,
    deferredLimit: config.capture.deferredEvents,
    users,
    adminGroups: config.admins,
  });
  await setUpDestinations(kit, {
    configured: config.projects,
    secretsKey: config.secretsKey,
    directory: absolutePathOf(config.events),
    store,
    projects,
    users,
    admins,
  });
  entityRoutes(app, {
    access: users,
    part: usagePart({ answers, projects, now }),
    portal: { baseUrl: kit.portal.baseUrl, token: config.portalToken },
    now,
  });
  return store;
}

const MEBIBYTE = 1024 * 1024;
const ADMIT_MS = 1_000;
const FLUSH_MS = 5_000;

/** Adds the routes that receive events. */
async function takeEvents(
  kit: ServiceKit<AnalyticsConfig & CommonConfig>,
  options: {
    known: KnownCredentials;
    projects: Projects;
    store: EventStore;
    counters: EventCounters;
    counts: IngestionCounts;
  },
): Promise<{ drops: Drops }> {
  const { app, auth, config, database, limits, now } = kit;
  const { known, store, counters, counts } = options;
  const onKept = (projectId: string, intake: Intake) => {
    counters.kept(intake);
    counts.received(projectId, intake);
  };
  const keep = async (events: readonly AnalyticsEvent[]) => {
    const received = events.length;
    const added = await store.append(events);
    if (received > 0) {
      onKept(events[0].projectId, { received, repeated: received - added });
    }
    return added;
  };
  const perMinute = config.rateLimit.enabled
    ? config.capture.eventsPerMinute
    : undefined;
  const drops = new Drops({ database, now, onDropped: counters.dropped });
  const bursts = new Bursts({
    store,
    limits,
    perMinute,
    most: {
      events: config.capture.deferredEvents,
      bytes: config.capture.deferredMegabytes * MEBIBYTE,
    },
    drops,
    onKept,
  });
  kit.every({
    name: 'Admitting deferred events',
    everyMs: ADMIT_MS,
    work: signal => bursts.admit(signal),
  });
  kit.every({
    name: 'Recording dropped events',
    everyMs: FLUSH_MS,
    work: () => drops.flush(),
  });
  kit.onStop(() => drops.flush());
  const guard = captureGuard({
    known,
    limits,
    perMinute,
    onRefused: counters.refused,
    onUnknownKey: key => counts.unknownKey(key),
  });
  const { anyone } = auth;
  await captureRoutes(app, {
    anyone,
    guard,
    now,
    keep,
  });
  await importRoutes(app, {
    importers: auth.anyOf(
      auth.scoped(apiTokenAccess(known), 'import'),
      auth.admin(config.admins),
    ),
    projects: options.projects,
    now,
    keep,
    async keepPeople(changes) {
      store.importPeople(changes);
    },
  });
  const flags = config.flags && openFlags(kit, config.flags);
  await sdkRoutes(app, {
    anyone,
    guard,
    bursts,
    drops,
    onRepaired: (projectId, events) => counts.repaired(projectId, events),
    evaluate: flags?.evaluate,
    now,
  });
  flagDefinitionRoutes(app, {
    tokens: auth.scoped(apiTokenAccess(known), 'query'),
    projects: options.projects,
    projectOfKey: async key =>
      (
        await known.find(key, {
          kind: 'capture',
          // The request has a valid token, whose limit applies.
          beforeGuess: async () => undefined,
        })
      )?.projectId,
    flags,
    groupTypes: projectId => store.groupTypes(projectId),
  });
  await browserRoutes(app, { anyone, guard, hasFlags: flags !== undefined });
  return { drops };
}

/** Counters of events, for operators. */
export interface EventCounters {
  /** Counts received events. */
  kept(intake: Intake): void;
  /** Counts the events of a request that was rejected as a whole by the rate limit. */
  refused(events: number): void;
  /** Counts dropped SDK events. */
  dropped(reason: DropReason, events: number): void;
}

/**
 * Registers the metrics of events. Each scrape reads the state of the store; the code
 * that receives events counts them.
 */
function exposeMetrics(
  { registry }: Metrics,
  store: Pick<EventStore, 'state' | 'deferredOf' | 'deferredProjects'>,
): EventCounters {
  const registers = [registry];
  const kept = new Counter({
    name: 'analytics_events_total',
    help: 'Events received: stored, or skipped as duplicates',
    labelNames: ['outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'analytics_events_refused_total',
    help: 'Events rejected by the routes of the contract because their project exceeded its limit; retries count again again',
    registers,
  });
  const dropped = new Counter({
    name: 'analytics_events_dropped_total',
    help: 'Lost events of SDKs',
    labelNames: ['reason'],
    registers,
  });
  registry.registerMetric(
    new Gauge({
      name: 'analytics_event_engine',
      help: '1 for the engine that answers questions',
      labelNames: ['engine'],
      registers: [],
      collect() {
        const { engine } = store.state();
        for (const each of ['chdb', 'clickhouse', 'sqlite']) {
          this.set({ engine: each }, engine === each ? 1 : 0);
        }
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'analytics_events_waiting',
      help: 'Stored events that wait to be moved to the column store',
      registers: [],
      collect() {
        this.set(store.state().waiting);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'analytics_events_deferred',
      help: 'Stored events that wait until the limit of their project allows them',
      registers: [],
      collect() {
        const sizes = store
          .deferredProjects()
          .map(projectId => store.deferredOf(projectId).events);
        this.set(sizes.reduce((sum, size) => sum + size, 0));
      },
    }),
  );
  return {
    kept({ received, repeated }) {
      kept.inc({ outcome: 'kept' }, received - repeated);
      kept.inc({ outcome: 'duplicate' }, repeated);
    },
    refused: events => refused.inc(events),
    dropped: (reason, events) => dropped.inc({ reason }, events),
  };
}
