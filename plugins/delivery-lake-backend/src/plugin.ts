import {
  coreServices,
  createBackendPlugin,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import {
  deliveryLakePermissions,
  deliveryReadPermission,
} from '@slipway/plugin-delivery-lake-common';
import {
  createAdministrationRouter,
  createEntityRouter,
  readAdminGroups,
  readinessRef,
  serveOpenApi,
} from '@slipway/portal-kit';
import { CatalogServiceDirectory } from './catalog/CatalogServiceDirectory';
import { readDeliveryLakeConfig } from './config';
import { reportDelivery } from './connections/reportDelivery';
import { createConnectionRoutes } from './connections/routes';
import { createDeliveryLake } from './createDeliveryLake';
import { deliveryPart } from './entities/deliveryPart';
import { createHistoryRoutes } from './history/routes';
import { createIncidentRoutes } from './incidents/routes';
import { createIngestRoutes } from './ingest/routes';
import { createJobRoutes } from './jobs/routes';
import { createMetricsRoutes } from './metrics/routes';
import { createNamespaceRoutes } from './namespaces/routes';
import { createOverviewRoutes } from './overview/routes';
import { createPeopleRoutes } from './people/routes';
import { openLakeDatabase } from './storage/openLakeDatabase';
import {
  createWebhookRoutes,
  SIGNED_WEBHOOK_PATHS,
} from './webhooks/http/createWebhookRoutes';

/** Receives deployments, changes and incidents, and computes the DORA metrics. */
export const deliveryLakePlugin = createBackendPlugin({
  pluginId: 'delivery-lake',
  register(env) {
    env.registerInit({
      deps: {
        auth: coreServices.auth,
        catalog: catalogServiceRef,
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
        scheduler: coreServices.scheduler,
        userInfo: coreServices.userInfo,
      },
      async init(deps) {
        const { httpAuth, httpRouter, logger, permissions } = deps;
        const config = readDeliveryLakeConfig(deps.config);
        const directory = new CatalogServiceDirectory(deps);
        const knex = await openLakeDatabase(deps.database);
        deps.readiness.watch('delivery-lake', knex);
        const lake = createDeliveryLake({
          knex,
          config,
          directory,
          discovery: deps.discovery,
          logger,
        });

        deps.permissionsRegistry.addPermissions(deliveryLakePermissions);
        await serveOpenApi({
          httpRouter,
          file: resolvePackagePath(
            '@slipway/plugin-delivery-lake-backend',
            'openapi.yaml',
          ),
        });
        const common = { httpAuth, permissions };
        const { connections, dora, history, ingest, jobs, overview } = lake;
        httpRouter.use(
          createWebhookRoutes({
            ...common,
            ...{ config, connections, ingest },
            deployed: lake.deployed,
          }),
        );
        for (const path of SIGNED_WEBHOOK_PATHS) {
          httpRouter.addAuthPolicy({ path, allow: 'unauthenticated' });
        }
        httpRouter.use(createIngestRoutes({ ...common, service: ingest }));
        httpRouter.use(createMetricsRoutes({ ...common, service: dora }));
        const access = {
          ...common,
          auth: deps.auth,
          userInfo: deps.userInfo,
        };
        httpRouter.use(createHistoryRoutes({ ...access, service: history }));
        httpRouter.use(createIncidentRoutes({ ...access, history, ingest }));
        httpRouter.use(createOverviewRoutes({ ...common, service: overview }));
        httpRouter.use(createJobRoutes({ ...common, service: jobs }));
        httpRouter.use(
          createPeopleRoutes({
            ...common,
            service: jobs,
            preview: lake.previewDeletion,
          }),
        );
        httpRouter.use(
          createConnectionRoutes({
            ...common,
            store: connections,
            baseUrl: await deps.discovery.getExternalBaseUrl('delivery-lake'),
          }),
        );
        httpRouter.use(
          createAdministrationRouter({
            ...common,
            report: () =>
              reportDelivery({
                adminGroups: readAdminGroups(deps.config),
                config,
                connections,
              }),
          }),
        );
        httpRouter.use(
          createNamespaceRoutes({ ...common, service: lake.namespaces }),
        );
        httpRouter.use(
          createEntityRouter({
            ...common,
            catalog: deps.catalog,
            userInfo: deps.userInfo,
            permission: deliveryReadPermission,
            part: deliveryPart({
              history,
              dora,
              directory,
              timeZone: config.timeZone,
              portal: deps.config.getOptionalString('app.baseUrl') ?? '',
            }),
          }),
        );

        deps.lifecycle.addShutdownHook(() => lake.stop());
        deps.lifecycle.addStartupHook(() => lake.start());
        await deps.scheduler.scheduleTask({
          id: 'delivery-lake-housekeeping',
          // Runs on each replica, because each has its own directory.
          scope: 'local',
          frequency: { seconds: 30 },
          timeout: { minutes: 1 },
          fn: () => lake.housekeeping(),
        });
      },
    });
  },
});
