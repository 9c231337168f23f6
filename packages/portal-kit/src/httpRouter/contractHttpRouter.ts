import {
  createAuthIntegrationRouter,
  createCookieAuthRefreshMiddleware,
  createCredentialsBarrier,
  createLifecycleMiddleware,
  createRateLimitMiddleware,
} from '@backstage/backend-defaults/httpRouter';
import { MiddlewareFactory } from '@backstage/backend-defaults/rootHttpRouter';
import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import { ErrorRequestHandler } from 'express';
import PromiseRouter from 'express-promise-router';
import { auditTrailRef } from '../audit/AuditTrail';
import { recordActs } from '../audit/recordActs';
import { limitRefusals, limitRequests } from '../limits/limitRequests';
import { openRateLimits } from '../limits/RateLimits';
import { portalMetricsRef } from '../root/portalMetrics';
import { contractErrorHandler, contractNotFound } from './contractErrors';
import {
  createContractRouteTest,
  createSignedRouteTest,
  isContractPlugin,
} from './contractRoutes';

/** Our own plugins: all their responses use the contract's format. */
const OWN_PLUGINS: ReadonlySet<string> = new Set([
  'ide-launcher',
  'delivery-lake',
]);

/**
 * Backstage's `httpRouter` service with two differences for the plugins of the contract (group A).
 * Every error, including the 401 of the credentials barrier and the 404 of an unknown path, has the
 * format `{error: string}`; for the catalog this applies only to the contract's routes, since
 * Backstage's pages read the others. And requests to the contract's routes count against the rate
 * limit of their credential, which is shared by all plugins. The barrier runs before a plugin's own
 * routes, so a plugin could do neither itself.
 *
 * Every request is measured for `/metrics`.
 *
 * Composed of the same public parts, in the same order, as Backstage's own factory.
 */
export const contractHttpRouterFactory = createServiceFactory({
  service: coreServices.httpRouter,
  initialization: 'always',
  deps: {
    auth: coreServices.auth,
    config: coreServices.rootConfig,
    httpAuth: coreServices.httpAuth,
    lifecycle: coreServices.lifecycle,
    logger: coreServices.logger,
    metrics: portalMetricsRef,
    plugin: coreServices.pluginMetadata,
    rootHttpRouter: coreServices.rootHttpRouter,
    rootLifecycle: coreServices.rootLifecycle,
    rootLogger: coreServices.rootLogger,
    trail: auditTrailRef,
  },
  createRootContext({ config, rootLifecycle, rootLogger }) {
    return openRateLimits({
      config,
      lifecycle: rootLifecycle,
      logger: rootLogger,
    });
  },
  async factory(
    {
      auth,
      config,
      httpAuth,
      lifecycle,
      logger,
      metrics,
      plugin,
      rootHttpRouter,
      trail,
    },
    { limits, options, subjects },
  ) {
    const pluginId = plugin.getId();
    const router = PromiseRouter();
    const pluginRoutes = PromiseRouter();
    const barrier = createCredentialsBarrier({ httpAuth, config });
    const stockErrors = MiddlewareFactory.create({ config, logger }).error({
      // In development, Backstage would show them to everyone.
      showStackTraces: false,
    });

    router.use(metrics.observeRequests(pluginId));
    router.use(createRateLimitMiddleware({ pluginId, config }));
    router.use(createAuthIntegrationRouter({ auth }));
    router.use(createLifecycleMiddleware({ config, lifecycle }));
    if (isContractPlugin(pluginId) && options.enabled) {
      const { perMinute } = options;
      const limiting = { auth, httpAuth, limits, perMinute, subjects };
      router.use(
        limitRequests({
          ...limiting,
          counts: createContractRouteTest(pluginId),
        }),
        limitRefusals({ ...limiting, signed: createSignedRouteTest(pluginId) }),
      );
    }
    router.use(barrier.middleware);
    router.use(createCookieAuthRefreshMiddleware({ auth, httpAuth }));
    router.use(recordActs({ trail, httpAuth, logger, pluginId }));
    router.use(pluginRoutes);
    if (isContractPlugin(pluginId)) {
      router.use(contractNotFound());
      router.use(
        contractErrorsOr(stockErrors, {
          pluginId,
          contractErrors: contractErrorHandler({ logger }),
        }),
      );
    } else {
      router.use(stockErrors);
    }
    rootHttpRouter.use(`/api/${pluginId}`, router);

    return {
      use: handler => void pluginRoutes.use(handler),
      addAuthPolicy: policy => barrier.addAuthPolicy(policy),
    };
  },
});

/** Formats errors like the contract where it applies, and like Backstage elsewhere. */
function contractErrorsOr(
  stockErrors: ErrorRequestHandler,
  options: { pluginId: string; contractErrors: ErrorRequestHandler },
): ErrorRequestHandler {
  const { pluginId, contractErrors } = options;
  const isContractRoute = createContractRouteTest(pluginId);
  return (error, req, res, next) => {
    const ours = OWN_PLUGINS.has(pluginId) || isContractRoute(req);
    (ours ? contractErrors : stockErrors)(error, req, res, next);
  };
}
