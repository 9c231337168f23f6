import {
  type CommonConfig,
  defineService,
  type Metrics,
  readManifest,
  type ServiceKit,
} from '@slipway/service-kit';
import { Counter, Gauge } from 'prom-client';
import { analyticsErrors } from './errors.ts';
import { analyticsConfig, type AnalyticsConfig } from './config.ts';
import type { EventStore } from './store/EventStore.ts';
import { captureGuard } from './capture/captureGuard.ts';
import { captureRoutes } from './capture/routes.ts';
import {
  apiTokenAccess,
  KnownCredentials,
} from './projects/KnownCredentials.ts';
import { ProjectStore } from './projects/ProjectStore.ts';
import { Projects } from './projects/Projects.ts';
import { projectRoutes } from './projects/routes.ts';
import { queryRoutes } from './query/routes.ts';
import { openEventStore } from './store/openEventStore.ts';

const { port, ...about } = readManifest(
  new URL('../package.json', import.meta.url),
);

/** Defines the analytics service; each definition is for one service. */
export function defineAnalytics() {
  let store: EventStore | undefined;
  return defineService({
    ...about,
    configSchema: analyticsConfig,
    defaults: { port, perMinute: 1_000 },
    ignoreTrailingSlash: true,
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
      store = await setUpService(kit);
    },
  });
}

/**
 * Puts the service together.
 *
 * @returns the store of events, for `/health` to tell of.
 */
async function setUpService(
  kit: ServiceKit<AnalyticsConfig & CommonConfig>,
): Promise<EventStore> {
  const { app, auth, config, now } = kit;
  const projectStore = new ProjectStore(kit.database);
  const known = new KnownCredentials({ store: projectStore, now });
  const projects = new Projects({ store: projectStore, known, now });
  await projects.adopt(config.projects);
  const store = openEventStore(kit, config.events);
  kit.health.addCheck('events', () => store.isAlive());
  const counters = exposeMetrics(kit.metrics, store);

  const tokens = apiTokenAccess(known);
  const users = auth.portalUser();
  await captureRoutes(app, {
    anyone: auth.anyone,
    guard: captureGuard({
      known,
      limits: kit.limits,
      perMinute: config.rateLimit.enabled
        ? config.capture.eventsPerMinute
        : undefined,
      onRefused: counters.refused,
    }),
    now,
    async keep(events) {
      counters.kept(events.length, await store.append(events));
    },
  });
  queryRoutes(app, {
    ask: plan => store.query(plan),
    projects,
    tokens,
    tokensAndUsers: auth.anyOf(tokens, users),
    now,
  });
  projectRoutes(app, {
    projects,
    users,
    admins: auth.admin(config.admins),
    adminGroups: config.admins,
    engine: () => store.state().engine,
  });
  return store;
}

/** The counters of events that operators see. */
export interface EventCounters {
  /** Counts events, of which `added` were new; the others had been sent before. */
  kept(events: number, added: number): void;
  /** Counts the events of a request that was refused whole, as too many came in the minute. */
  refused(events: number): void;
}

/**
 * Registers the metrics of events. The store's state is read at each scrape; events are
 * counted by whoever takes them in.
 */
function exposeMetrics(
  { registry }: Metrics,
  store: Pick<EventStore, 'state'>,
): EventCounters {
  const registers = [registry];
  const kept = new Counter({
    name: 'analytics_events_total',
    help: 'Events that were taken in: kept, or left out as sent before',
    labelNames: ['outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'analytics_events_refused_total',
    help: 'Events refused because their project had sent too many in the minute',
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
        this.set({ engine: 'chdb' }, engine === 'chdb' ? 1 : 0);
        this.set({ engine: 'sqlite' }, engine === 'sqlite' ? 1 : 0);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'analytics_events_waiting',
      help: 'Events that are kept and wait to be moved into the column store',
      registers: [],
      collect() {
        this.set(store.state().waiting);
      },
    }),
  );
  return {
    kept(events, added) {
      kept.inc({ outcome: 'kept' }, added);
      kept.inc({ outcome: 'duplicate' }, events - added);
    },
    refused: events => refused.inc(events),
  };
}
