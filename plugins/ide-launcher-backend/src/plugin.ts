import {
  coreServices,
  createBackendPlugin,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { notificationService } from '@backstage/plugin-notifications-node';
import { signalsServiceRef } from '@backstage/plugin-signals-node';
import { ideLauncherPermissions } from '@slipway/plugin-ide-launcher-common';
import { readinessRef, serveOpenApi } from '@slipway/portal-kit';
import { readIdeLauncherConfig } from './config';
import { createIdeLauncher } from './createIdeLauncher';
import { createRuntime } from './runtimes/createRuntime';
import { workspaceRuntimeExtensionPoint } from './runtimes/WorkspaceRuntime';
import { WorkspaceRuntime } from './runtimes/WorkspaceRuntime';
import { createWorkspaceRoutes } from './workspaces/routes';

const HOUSEKEEPING_INTERVAL = { seconds: 15 };

/** IDE workspaces from devfiles: the portal API, the runtime and the way into the IDEs. */
export const ideLauncherPlugin = createBackendPlugin({
  pluginId: 'ide-launcher',
  register(env) {
    let runtime: WorkspaceRuntime | undefined;
    env.registerExtensionPoint(workspaceRuntimeExtensionPoint, {
      setRuntime(chosen) {
        if (runtime) {
          throw new Error('A workspace runtime has been set already');
        }
        runtime = chosen;
      },
    });
    env.registerInit({
      deps: {
        auth: coreServices.auth,
        config: coreServices.rootConfig,
        database: coreServices.database,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        lifecycle: coreServices.lifecycle,
        logger: coreServices.logger,
        notifications: notificationService,
        permissions: coreServices.permissions,
        permissionsRegistry: coreServices.permissionsRegistry,
        readiness: readinessRef,
        scheduler: coreServices.scheduler,
        signals: signalsServiceRef,
        urlReader: coreServices.urlReader,
      },
      async init(deps) {
        const { config, httpAuth, logger, permissions } = deps;
        const options = readIdeLauncherConfig(config);
        const launcher = await createIdeLauncher({
          ...deps,
          options,
          runtime:
            runtime ??
            (await createRuntime(options.runtime, { config, logger })),
        });

        deps.readiness.add('ide-launcher', () => launcher.write());
        deps.permissionsRegistry.addPermissions(ideLauncherPermissions);
        await serveOpenApi({
          httpRouter: deps.httpRouter,
          file: resolvePackagePath(
            '@slipway/plugin-ide-launcher-backend',
            'openapi.yaml',
          ),
        });
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
