import type { TObject } from 'typebox';
import { healthRoutes } from '../health/healthRoutes.ts';
import { demandAccess, guardRoutes } from '../http/guardRoutes.ts';
import { hardenApp } from '../http/hardenApp.ts';
import { metricsRoute } from '../http/metricsRoute.ts';
import { observeRequests } from '../http/observeRequests.ts';
import { describeApi } from '../http/openApi.ts';
import { refuseBadPaths } from '../http/refuseBadPaths.ts';
import type { ServiceApp } from '../http/ServiceApp.ts';
import type { Tracing } from '../tracing/startTracing.ts';
import type { ConfigOf, ServiceDefinition } from './ServiceDefinition.ts';
import type { ServiceKit } from './ServiceKit.ts';

/** Puts hooks and routes on the app, in the order in which requests meet them. */
export async function assembleApp<S extends TObject>(options: {
  definition: ServiceDefinition<S>;
  app: ServiceApp;
  kit: ServiceKit<ConfigOf<S>>;
  tracing: Tracing | undefined;
}): Promise<void> {
  const { definition, app, kit, tracing } = options;
  const { config, metrics, health, version, now } = kit;
  const origin = new URL(kit.portal.appUrl).origin;
  if (tracing) {
    await app.register(tracing.plugin);
  }
  observeRequests(app, { metrics, logger: kit.logger });
  await hardenApp(app, {
    origin,
    eventLoopDelay: config.limits.eventLoopDelay,
  });
  guardRoutes(app, {
    limits: kit.limits,
    rateLimit: config.rateLimit,
    origin,
  });
  refuseBadPaths(app);
  await describeApi(app, {
    title: definition.title,
    version,
    errors: definition.errors,
  });
  healthRoutes(app, { health, format: definition.health, version, now });
  metricsRoute(app, metrics);
  await app.register(async routes => {
    demandAccess(routes);
    await definition.setUp({ ...kit, app: routes });
  });
  await app.ready();
}
