import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import { signalsServiceRef } from '@backstage/plugin-signals-node';
import { ideLauncherPermissions } from '@slipway/plugin-ide-launcher-common';
import { readIdeLauncherConfig } from './config';
import { createIdeLauncher } from './createIdeLauncher';
import { createWorkspaceRoutes } from './workspaces/routes';

const HOUSEKEEPING_INTERVAL = { seconds: 15 };

/** IDE workspaces from devfiles: the portal API, the runtime and the way into the IDEs. */
export const ideLauncherPlugin = createBackendPlugin({
  pluginId: 'ide-launcher',
  register(env) {
    env.registerInit({
      deps: {
        auth: coreServices.auth,
        config: coreServices.rootConfig,
        database: coreServices.database,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        lifecycle: coreServices.lifecycle,
        logger: coreServices.logger,
        permissions: coreServices.permissions,
        permissionsRegistry: coreServices.permissionsRegistry,
        scheduler: coreServices.scheduler,
        signals: signalsServiceRef,
        urlReader: coreServices.urlReader,
      },
      async init(deps) {
        const { config, httpAuth, logger, permissions } = deps;
        const options = readIdeLauncherConfig(config);
        const launcher = await createIdeLauncher({ ...deps, options });

        deps.permissionsRegistry.addPermissions(ideLauncherPermissions);
        deps.httpRouter.use(
          createWorkspaceRoutes({
            httpAuth,
            permissions,
            service: launcher.service,
          }),
        );
        deps.lifecycle.addShutdownHook(() => launcher.stop());
        await launcher.start();
        await deps.scheduler.scheduleTask({
          id: 'ide-launcher-housekeeping',
          scope: 'local',
          frequency: HOUSEKEEPING_INTERVAL,
          timeout: { minutes: 1 },
          fn: () => launcher.housekeeping(),
        });
        logger.info(
          `IDEs are served on ${options.listen.host}:${options.listen.port}`,
        );
      },
    });
  },
});
