import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import { captureGuard } from './capture/captureGuard.ts';
import { captureRoutes } from './capture/routes.ts';
import type { AnalyticsConfig } from './config.ts';
import { exposeMetrics } from './exposeMetrics.ts';
import { apiTokenAccess } from './projects/apiTokenAccess.ts';
import { DatabaseProjectStore } from './projects/DatabaseProjectStore.ts';
import { KnownCredentials } from './projects/KnownCredentials.ts';
import { Projects } from './projects/Projects.ts';
import { projectRoutes } from './projects/routes.ts';
import { queryRoutes } from './query/routes.ts';
import type { EventStore } from './store/EventStore.ts';
import { openEventStore } from './store/openEventStore.ts';

/**
 * Puts the service together.
 *
 * @returns the store of events, for `/health` to tell of.
 */
export async function setUpService(
  kit: ServiceKit<AnalyticsConfig & CommonConfig>,
): Promise<EventStore> {
  const { app, auth, config, now } = kit;
  const projectStore = new DatabaseProjectStore(kit.database);
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
    store,
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
    storeState: () => store.state(),
  });
  return store;
}
