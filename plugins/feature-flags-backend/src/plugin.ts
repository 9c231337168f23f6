import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import Router from 'express-promise-router';
import { connectFlags } from './connectFlags';
import { valuesFor } from './portalFlags';

/** Tells the portal's pages which of the portal's own flags are on for their reader. */
export const featureFlagsPlugin = createBackendPlugin({
  pluginId: 'feature-flags',
  register(env) {
    env.registerInit({
      deps: {
        config: coreServices.rootConfig,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        lifecycle: coreServices.lifecycle,
        logger: coreServices.logger,
      },
      async init({ config, httpAuth, httpRouter, lifecycle, logger }) {
        const flags = connectFlags({ config, logger });
        const router = Router();
        router.get('/portal-flags', async (request, response) => {
          const { principal } = await httpAuth.credentials(request, {
            allow: ['user'],
          });
          response.json({ flags: valuesFor(principal.userEntityRef, flags) });
        });
        httpRouter.use(router);
        lifecycle.addShutdownHook(() => flags?.destroy());
      },
    });
  },
});
