import {
  coreServices,
  createServiceFactory,
  createServiceRef,
  RootHealthService,
} from '@backstage/backend-plugin-api';
import { RequestHandler } from 'express';
import PromiseRouter from 'express-promise-router';
import { methodNotAllowed } from '../http/methodNotAllowed';
import { Description, joinDescriptions } from './joinDescriptions';
import { PortalMetrics, portalMetricsRef } from './portalMetrics';

const portalRootRef = createServiceRef<{}>({
  id: 'slipway.portal-root',
  scope: 'root',
});

/**
 * Serves what every interface of Slipway has at its root: `/health` (alive), `/ready`
 * (started, and not on the way down), `/metrics` and `/openapi.json`, open to all.
 *
 * @param options.descriptions - OpenAPI descriptions in YAML, by the name of their plugin.
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
      rootHttpRouter: coreServices.rootHttpRouter,
    },
    async factory({ health, metrics, rootHttpRouter }) {
      const description = await joinDescriptions({
        info: { title: 'Slipway portal', version: options.version },
        files: options.descriptions,
      });
      const routes = rootRoutes({ description, health, metrics });
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
  description: Description;
  health: RootHealthService;
  metrics: PortalMetrics;
}): Record<string, RequestHandler> {
  const { description, health, metrics } = options;
  return {
    '/health': async (_req, res) => {
      const { status, payload } = await health.getLiveness();
      res.status(status).json(payload ?? {});
    },
    '/ready': async (_req, res) => {
      const { status, payload } = await health.getReadiness();
      res.status(status).json(payload ?? {});
    },
    '/metrics': async (_req, res) => {
      const { contentType } = metrics.registry;
      // As Prometheus has it, to the parameter.
      res
        .set('Content-Type', contentType)
        .send(await metrics.registry.metrics());
    },
    '/openapi.json': (_req, res) => {
      res.json(description);
    },
  };
}
