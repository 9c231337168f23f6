import {
  coreServices,
  createServiceFactory,
  createServiceRef,
  RootHealthService,
} from '@backstage/backend-plugin-api';
import { RequestHandler } from 'express';
import PromiseRouter from 'express-promise-router';
import { methodNotAllowed } from '../http/requests';
import { Description, joinDescriptions } from '../http/openApi';
import { Readiness, readinessRef } from './readiness';
import { PortalMetrics, portalMetricsRef } from './portalMetrics';

const portalRootRef = createServiceRef<{}>({
  id: 'slipway.portal-root',
  scope: 'root',
});

/**
 * Creates the routes that every Slipway interface has at its root, open to everyone: `/health` (alive),
 * `/ready` (started, not shutting down, and with writable databases), `/metrics` and `/openapi.json`.
 *
 * @param options.descriptions - OpenAPI descriptions in YAML, by plugin id.
 */
export function createPortalRoot(options: {
  version: string;
  descriptions: Readonly<Record<string, string>>;
}) {
  return createServiceFactory({
    service: portalRootRef,
    initialization: 'always',
    deps: {
      health: coreServices.rootHealth,
      metrics: portalMetricsRef,
      readiness: readinessRef,
      rootHttpRouter: coreServices.rootHttpRouter,
    },
    factory({ health, metrics, readiness, rootHttpRouter }) {
      let joined: Description | undefined;
      const describe = async () =>
        (joined ??= await joinDescriptions({
          info: { title: 'Slipway portal', version: options.version },
          files: options.descriptions,
        }));
      const routes = rootRoutes({ describe, health, metrics, readiness });
      for (const [path, answer] of Object.entries(routes)) {
        const router = PromiseRouter();
        router.get('/', answer);
        router.all('/', methodNotAllowed('GET'));
        rootHttpRouter.use(path, router);
      }
      return {};
    },
  });
}

function rootRoutes(options: {
  describe: () => Promise<Description>;
  health: RootHealthService;
  metrics: PortalMetrics;
  readiness: Readiness;
}): Record<string, RequestHandler> {
  const { describe, health, metrics, readiness } = options;
  return {
    '/health': async (_req, res) => {
      const { status, payload } = await health.getLiveness();
      res.status(status).json(payload ?? {});
    },
    '/ready': async (_req, res) => {
      const { status, payload } = await health.getReadiness();
      const failing = status === 200 ? await readiness.failing() : [];
      if (failing.length > 0) {
        const names = failing.join(', ');
        res.status(503).json({
          status: 'error',
          message: `The database of ${names} cannot be written`,
        });
        return;
      }
      res.status(status).json(payload ?? {});
    },
    '/metrics': async (_req, res) => {
      const { contentType } = metrics.registry;
      // Exactly Prometheus's content type, including the parameter.
      res
        .set('Content-Type', contentType)
        .send(await metrics.registry.metrics());
    },
    '/openapi.json': async (_req, res) => {
      res.json(await describe());
    },
  };
}
