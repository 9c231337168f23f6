import {
  coreServices,
  createBackendPlugin,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { notificationService } from '@backstage/plugin-notifications-node';
import { readinessRef, serveOpenApi } from '@slipway/portal-kit';
import { openDatabase } from '@slipway/portal-kit/database';
import { sentNotificationsRef } from '../notifications/SentNotifications';
import { readEndpoints } from '../serviceProxy/endpoints';
import { tokenIssuerRef } from '../serviceProxy/TokenIssuer';
import { Announcer } from './Announcer';
import { readParts } from './config';
import { PartsClient } from './PartsClient';
import { createInboxRoutes, forgetPermission } from './routes';
import { InboxStore } from './storage/InboxStore';

const DAY_MS = 86_400_000;
/** Days for which an item is kept after it was last reported, and a user after they left. */
const KEPT_DAYS = 90;

/**
 * Serves the inbox of each user at `/api/inbox`, sends a notification about each new item, even to
 * users who are absent, and marks it as read once the item is gone (docs/adr/0049).
 */
export const inboxPlugin = createBackendPlugin({
  pluginId: 'inbox',
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
        logger: coreServices.logger,
        notifications: notificationService,
        permissions: coreServices.permissions,
        permissionsRegistry: coreServices.permissionsRegistry,
        readiness: readinessRef,
        scheduler: coreServices.scheduler,
        sent: sentNotificationsRef,
        tokens: tokenIssuerRef,
        userInfo: coreServices.userInfo,
      },
      async init(deps) {
        const { config, httpRouter, scheduler } = deps;
        const knex = await openDatabase({
          database: deps.database,
          migrations: resolvePackagePath(
            '@slipway/backend',
            'migrations/inbox',
          ),
        });
        deps.readiness.watch('inbox', knex);
        const store = new InboxStore(knex);
        const parts = new PartsClient({
          ...deps,
          parts: readParts(config),
          endpoints: readEndpoints(config),
        });
        deps.permissionsRegistry.addPermissions([forgetPermission]);
        await serveOpenApi({
          httpRouter,
          file: resolvePackagePath('@slipway/backend', 'inbox.openapi.yaml'),
        });
        httpRouter.use(
          createInboxRoutes({
            ...deps,
            store,
            parts,
          }),
        );
        if (config.getOptionalBoolean('inbox.notifications') ?? true) {
          const announcer = new Announcer({ ...deps, store, parts });
          await scheduler.scheduleTask({
            id: 'announce-items',
            frequency: { seconds: 30 },
            timeout: { minutes: 5 },
            initialDelay: { seconds: 15 },
            fn: signal => announcer.run(signal),
          });
        }
        await scheduler.scheduleTask({
          id: 'purge-items',
          frequency: { days: 1 },
          timeout: { minutes: 5 },
          fn: () => store.purge(Date.now() - KEPT_DAYS * DAY_MS),
        });
      },
    });
  },
});
