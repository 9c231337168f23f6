import {
  coreServices,
  createBackendPlugin,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { readinessRef, serveOpenApi } from '@slipway/portal-kit';
import { readDemoConfig } from './config';
import { DemoRunner } from './DemoRunner';
import { analyticsPart } from './parts/analyticsPart';
import { buildsPart } from './parts/buildsPart';
import { catalogPart } from './parts/catalogPart';
import { deliveryPart } from './parts/deliveryPart';
import { experiencePart } from './parts/experiencePart';
import { feedbackPart } from './parts/feedbackPart';
import { flagsPart } from './parts/flagsPart';
import { inboxPart } from './parts/inboxPart';
import { workspacesPart } from './parts/workspacesPart';
import { createDemoRoutes, demoManagePermission } from './routes';
import {
  DatabaseDemoState,
  openDemoDatabase,
} from './storage/DatabaseDemoState';

/** Loads and removes a fictional company, using only public APIs. */
export const demoPlugin = createBackendPlugin({
  pluginId: 'demo',
  register(env) {
    env.registerInit({
      deps: {
        auth: coreServices.auth,
        config: coreServices.rootConfig,
        database: coreServices.database,
        discovery: coreServices.discovery,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        lifecycle: coreServices.lifecycle,
        logger: coreServices.logger,
        permissions: coreServices.permissions,
        permissionsRegistry: coreServices.permissionsRegistry,
        readiness: readinessRef,
      },
      async init(deps) {
        const { httpRouter, lifecycle, logger } = deps;
        const config = readDemoConfig(deps.config, {
          isProduction: process.env.NODE_ENV === 'production',
        });
        const parts = [
          catalogPart,
          deliveryPart,
          buildsPart,
          experiencePart(config.spaceMetrics),
          analyticsPart,
          feedbackPart,
          flagsPart,
          workspacesPart,
          inboxPart,
        ];
        const knex = await openDemoDatabase(deps.database);
        deps.readiness.watch('demo', knex);
        const runner = new DemoRunner({
          ...config,
          logger,
          parts,
          state: new DatabaseDemoState(knex),
        });
        deps.permissionsRegistry.addPermissions([demoManagePermission]);
        await serveOpenApi({
          httpRouter,
          file: resolvePackagePath(
            '@slipway/plugin-demo-backend',
            'openapi.yaml',
          ),
        });
        httpRouter.use(createDemoRoutes({ ...deps, ...config, runner, parts }));
        lifecycle.addShutdownHook(() => runner.settled());
      },
    });
  },
});
