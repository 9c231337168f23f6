import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import Router from 'express-promise-router';
import { UnleashEvents } from 'unleash-client';
import { ChangeStreams } from './ChangeStreams';
import { connectFlags } from './connectFlags';
import { evaluateFlags } from './portalFlags';
import { readNames } from './readNames';

/** Connections of pages per process. */
const MOST_PAGES = 5_000;

/** Serves the portal's pages the states of the portal's own flags for the signed-in user. */
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
        userInfo: coreServices.userInfo,
      },
      async init(deps) {
        const { config, httpAuth, httpRouter, lifecycle, logger } = deps;
        const flags = connectFlags({ config, logger });
        const streams = new ChangeStreams({
          most:
            config.getOptionalNumber('slipway.flags.mostPages') ?? MOST_PAGES,
        });
        flags?.on(UnleashEvents.Changed, () => streams.notify());

        const router = Router();
        router.get('/portal-flags', async (request, response) => {
          const credentials = await httpAuth.credentials(request, {
            allow: ['user'],
          });
          const names = readNames(request.query.names);
          const { userEntityRef, ownershipEntityRefs } =
            await deps.userInfo.getUserInfo(credentials);
          const context = {
            userId: userEntityRef,
            properties: { groups: ownershipEntityRefs.join(',') },
          };
          response.json({ flags: evaluateFlags(names, context, flags) });
        });
        router.get('/portal-flags/changes', async (request, response) => {
          await httpAuth.credentials(request, { allow: ['user'] });
          streams.add(response);
        });
        httpRouter.use(router);
        lifecycle.addShutdownHook(() => {
          streams.close();
          flags?.destroy();
        });
      },
    });
  },
});
