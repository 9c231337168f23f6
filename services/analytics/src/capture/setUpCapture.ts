import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import type { AnalyticsConfig } from '../config.ts';
import { importRoutes } from '../import/routes.ts';
import type { EventCounters } from '../ingestion/exposeMetrics.ts';
import type { IngestionCounts, Intake } from '../ingestion/IngestionCounts.ts';
import { apiTokenAccess, type Projects } from '../projects/Projects.ts';
import type { CredentialStore } from '../projects/storage/CredentialStore.ts';
import type { EventStore } from '../store/EventStore.ts';
import { browserRoutes } from './browserRoutes.ts';
import { Bursts } from './Bursts.ts';
import { CaptureGuard } from './CaptureGuard.ts';
import { Drops } from './Drops.ts';
import { flagDefinitionRoutes } from './flagDefinitionRoutes.ts';
import { openFlags } from './FlagSource.ts';
import { captureRoutes, keepEvents } from './routes.ts';
import { sdkRoutes } from './sdkRoutes.ts';

const MEBIBYTE = 1024 * 1024;
const ADMIT_MS = 1_000;
const FLUSH_MS = 5_000;

/** Adds the routes that receive events, and the tasks that admit deferred ones. */
export async function setUpCapture(
  kit: ServiceKit<AnalyticsConfig & CommonConfig>,
  options: {
    credentials: CredentialStore;
    projects: Projects;
    store: EventStore;
    counters: EventCounters;
    counts: IngestionCounts;
  },
): Promise<{ drops: Drops }> {
  const { app, auth, config, database, limits, now } = kit;
  const { credentials, projects, store, counters, counts } = options;
  const onKept = (projectId: string, intake: Intake) => {
    counters.kept(intake);
    counts.received(projectId, intake);
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
      characters: config.capture.deferredMegabytes * MEBIBYTE,
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
  const guard = new CaptureGuard({
    credentials,
    limits,
    perMinute,
    onRefused: counters.refused,
    onUnknownKey: key => counts.unknownKey(key),
  });
  const { anyone } = auth;
  await captureRoutes(app, {
    anyone,
    guard,
    store,
    onKept,
    now,
  });
  await importRoutes(app, {
    importers: auth.anyOf(
      auth.scoped(apiTokenAccess(credentials), 'import'),
      auth.admin(config.admins),
    ),
    projects,
    now,
    keep: events => keepEvents(events, { store, onKept }),
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
    tokens: auth.scoped(apiTokenAccess(credentials), 'query'),
    projects,
    projectOfKey: async key =>
      (
        await credentials.find(key, {
          kind: 'capture',
          // The request has a valid token, whose rate limit applies instead.
          beforeGuess: async () => undefined,
        })
      )?.projectId,
    flags,
    groupTypes: projectId => store.groupTypes(projectId),
  });
  await browserRoutes(app, { anyone, guard, hasFlags: flags !== undefined });
  return { drops };
}
