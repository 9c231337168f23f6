import {
  coreServices,
  createBackendPlugin,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { DatabaseAuditLog } from '@slipway/entity-contract';
import {
  administrationPermission,
  auditTrailRef,
  createAdministrationRouter,
  readinessRef,
  serveOpenApi,
} from '@slipway/portal-kit';
import { openDatabase } from '@slipway/portal-kit/database';
import { readEndpoints } from '../serviceProxy/endpoints';
import { reportPortal } from './reportPortal';
import { createAdministrationRoutes } from './routes';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 400;

/** Records what admins do in the portal itself, and serves `/api/admin`. */
export const administrationPlugin = createBackendPlugin({
  pluginId: 'admin',
  register(env) {
    env.registerInit({
      deps: {
        config: coreServices.rootConfig,
        database: coreServices.database,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        logger: coreServices.logger,
        permissions: coreServices.permissions,
        permissionsRegistry: coreServices.permissionsRegistry,
        readiness: readinessRef,
        scheduler: coreServices.scheduler,
        trail: auditTrailRef,
      },
      async init(deps) {
        const { httpRouter, logger, trail } = deps;
        const knex = await openDatabase({
          database: deps.database,
          migrations: resolvePackagePath(
            '@slipway/backend',
            'migrations/administration',
          ),
        });
        deps.readiness.watch('admin', knex);
        const log = new DatabaseAuditLog(knex, 'portal_audit');
        deps.permissionsRegistry.addPermissions([administrationPermission]);
        await serveOpenApi({
          httpRouter,
          file: resolvePackagePath('@slipway/backend', 'openapi.yaml'),
        });
        httpRouter.use(
          createAdministrationRoutes({
            ...deps,
            log,
            failing: () => deps.readiness.failing(),
            services: readEndpoints(deps.config),
          }),
        );
        httpRouter.use(
          createAdministrationRouter({
            ...deps,
            report: async () => reportPortal(deps.config),
          }),
        );
        await trail.open(async act => {
          try {
            await log.add(act);
          } catch (error) {
            logger.error(`An audit log entry was not stored: ${error}`);
          }
        });
        await deps.scheduler.scheduleTask({
          id: 'purge-audit-log',
          frequency: { days: 1 },
          timeout: { minutes: 5 },
          fn: () => log.purge(Date.now() - KEPT_DAYS * DAY_MS),
        });
      },
    });
  },
});
