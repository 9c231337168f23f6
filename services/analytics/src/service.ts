import {
  administrationRoute,
  type CommonConfig,
  defineService,
  entityRoutes,
  readManifest,
  type ServiceKit,
  auditAdministration,
} from '@slipway/service-kit';
import { reportAnalytics } from './administration.ts';
import { usagePart } from './entities/usagePart.ts';
import { analyticsErrors } from './errors.ts';
import { analyticsConfig, type AnalyticsConfig } from './config.ts';
import type { EventStore } from './store/EventStore.ts';
import { Backups } from './backup/Backups.ts';
import { backupRoutes } from './backup/routes.ts';
import { NamedCohorts } from './cohorts/NamedCohorts.ts';
import { setUpCohorts } from './cohorts/setUpCohorts.ts';
import { CohortStore } from './cohorts/storage/CohortStore.ts';
import { setUpDestinations } from './destinations/setUpDestinations.ts';
import { exportRoutes } from './export/routes.ts';
import { setUpCapture } from './capture/setUpCapture.ts';
import { exposeMetrics } from './ingestion/exposeMetrics.ts';
import type { IngestionCounts } from './ingestion/IngestionCounts.ts';
import { ingestionRoutes } from './ingestion/routes.ts';
import { setUpIngestion } from './ingestion/setUpIngestion.ts';
import { type TokenScope } from './projects/Credential.ts';
import { Credentials } from './projects/Credentials.ts';
import { ManagedProjects } from './projects/ManagedProjects.ts';
import {
  apiTokenAccess,
  guardProjects,
  Projects,
} from './projects/Projects.ts';
import { projectRoutes } from './projects/routes.ts';
import { CredentialStore } from './projects/storage/CredentialStore.ts';
import { ProjectStore } from './projects/storage/ProjectStore.ts';
import { ErasedIds } from './people/ErasedIds.ts';
import { setUpPeople } from './people/setUpPeople.ts';
import { ErasureStore } from './people/storage/ErasureStore.ts';
import { GroupStore } from './people/storage/GroupStore.ts';
import { PersonStore } from './people/storage/PersonStore.ts';
import { Answers, RecentAnswers } from './query/Answers.ts';
import type { QuerySources } from './query/answerQuery.ts';
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

/** Timeout in milliseconds for deleting a project; another call deletes the rest. */
const DELETE_TIMEOUT_MS = 60_000;

/**
 * Assembles the service.
 * @returns the event store, for `/health`.
 */
async function setUpService(
  kit: ServiceKit<AnalyticsConfig & CommonConfig>,
  counts: IngestionCounts,
): Promise<EventStore> {
  const { app, auth, config, now } = kit;
  const projectStore = new ProjectStore(kit.database);
  const credentialStore = new CredentialStore({
    database: kit.database,
    onUse: id => kit.uses.note(id),
    now,
  });
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
  const cohortStore = new CohortStore(kit.database);
  const cohorts = new NamedCohorts({ store: cohortStore, events: store });
  const projects = new Projects({ store: projectStore, admins: config.admins });
  const managed = new ManagedProjects({
    store: projectStore,
    credentials: credentialStore,
    projects,
    async deleteEvents(projectId) {
      const signal = AbortSignal.timeout(DELETE_TIMEOUT_MS);
      await store.applyPeople();
      await persons.removeProject(projectId);
      await store.deletes.project(projectId, signal);
    },
    async cohorts(projectId, filters, clock) {
      const field = 'test_account_filters';
      const named = await cohorts.find(projectId, filters, field);
      return named.open(clock);
    },
    now,
  });
  await managed.adopt(config.projects);
  const credentials = new Credentials({
    store: credentialStore,
    projects,
    now,
  });
  await credentials.adopt(config.projects);
  guardProjects(app, projects);
  kit.health.addCheck('events', () => store.isAlive());
  const counters = exposeMetrics(kit.metrics, store);

  const tokensFor = (scope: TokenScope) =>
    auth.scoped(apiTokenAccess(credentialStore), scope);
  const users = auth.portalUser();
  const admins = auth.admin(config.admins);
  auditAdministration(kit, { access: admins });
  const tokensAndUsers = (scope: TokenScope) =>
    auth.anyOf(tokensFor(scope), users);
  const { drops } = await setUpCapture(kit, {
    projects,
    credentials: credentialStore,
    store,
    counters,
    counts,
  });
  const answers = new Answers({
    query: (plan, requester) => store.query(plan, requester),
    versionOf: projectId => store.versionOf(projectId),
    now,
  });
  const sources: QuerySources = {
    answers,
    persons,
    cohorts,
    groupTypes: projectId => store.groupTypes(projectId),
    now,
  };
  queryRoutes(app, {
    ...sources,
    recent: new RecentAnswers({ now }),
    projects,
    erasedAt: projectId => erased.lastAt(projectId),
    tokens: tokensFor('query'),
    tokensAndUsers: tokensAndUsers('query'),
  });
  exportRoutes(app, {
    projects,
    query: (plan, requester) => store.query(plan, requester),
    tokensAndUsers: tokensAndUsers('export'),
    now,
  });
  setUpPeople(kit, {
    persons,
    cohorts: cohortStore,
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
  setUpCohorts(app, {
    store: cohortStore,
    sources,
    projects,
    erased,
    events: store,
    insights: projectId => saved.list(projectId, 'insight'),
    adminGroups: config.admins,
    users,
    readers: tokensAndUsers('persons'),
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
    managed,
    credentials,
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
  const destinations = await setUpDestinations(kit, {
    configured: config.projects,
    secretsKey: config.secretsKey,
    directory: absolutePathOf(config.events),
    store,
    projects,
    users,
    admins,
  });
  administrationRoute(kit, {
    access: admins,
    report: () =>
      reportAnalytics(kit, {
        projects: projectStore,
        credentials: credentialStore,
        destinations,
      }),
  });
  entityRoutes(app, {
    access: users,
    part: usagePart({ answers, projects, now }),
    portal: { baseUrl: kit.portal.baseUrl, token: config.portalToken },
    now,
  });
  return store;
}
