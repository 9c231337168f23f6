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
import PromiseRouter from 'express-promise-router';
import { contractErrorHandler, contractNotFound } from './contractErrors';

/** The plugins whose every route answers errors as `{error: string}` (group A of the contract). */
const CONTRACT_PLUGINS: ReadonlySet<string> = new Set([
  'ide-launcher',
  'delivery-lake',
]);

/**
 * Backstage's `httpRouter` service with one difference: for contract plugins
 * every error, the credentials barrier's 401 and the 404 of an unknown path
 * included, leaves as `{error: string}`. The barrier runs before a plugin's own
 * routes, so the plugin alone could not do this.
 *
 * Composed from the same public parts, in the same order, as Backstage's own factory.
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
    plugin: coreServices.pluginMetadata,
    rootHttpRouter: coreServices.rootHttpRouter,
  },
  async factory({
    auth,
    config,
    httpAuth,
    lifecycle,
    logger,
    plugin,
    rootHttpRouter,
  }) {
    const pluginId = plugin.getId();
    const router = PromiseRouter();
    const pluginRoutes = PromiseRouter();
    const barrier = createCredentialsBarrier({ httpAuth, config });

    router.use(createRateLimitMiddleware({ pluginId, config }));
    router.use(createAuthIntegrationRouter({ auth }));
    router.use(createLifecycleMiddleware({ config, lifecycle }));
    router.use(barrier.middleware);
    router.use(createCookieAuthRefreshMiddleware({ auth, httpAuth }));
    router.use(pluginRoutes);
    if (CONTRACT_PLUGINS.has(pluginId)) {
      router.use(contractNotFound());
      router.use(contractErrorHandler({ logger }));
    } else {
      router.use(MiddlewareFactory.create({ config, logger }).error());
    }
    rootHttpRouter.use(`/api/${pluginId}`, router);

    return {
      use: handler => void pluginRoutes.use(handler),
      addAuthPolicy: policy => barrier.addAuthPolicy(policy),
    };
  },
});
