import { createBackend } from '@backstage/backend-defaults';
import { resolvePackagePath } from '@backstage/backend-plugin-api';
import {
  auditorFactory,
  boundedUrlReaderFactory,
  contractHttpRouterFactory,
  contractRootHttpRouterFactory,
  createPortalRoot,
  databaseFactory,
  permissionPolicyModule,
  productionGuardFactory,
} from '@slipway/portal-kit';
import { version } from '../package.json';
import { administrationPlugin } from './administration/plugin';
import { inboxPlugin } from './inbox/plugin';
import { rootLoggerFactory } from './logging/rootLogger';
import { notificationChannels } from './notifications/channels';
import { openSignalsModule } from './notifications/openSignals';
import { sentNotificationsModule } from './notifications/SentNotifications';
import { searchModule } from './search/searchModule';
import { serviceProxyPlugin } from './serviceProxy/plugin';

const descriptionOf = (plugin: string) =>
  resolvePackagePath(plugin, 'openapi.yaml');

const backend = createBackend();

// Slipway's own service factories
backend.add(rootLoggerFactory);
backend.add(productionGuardFactory);
backend.add(auditorFactory);
backend.add(databaseFactory);
backend.add(contractHttpRouterFactory);
backend.add(contractRootHttpRouterFactory);
backend.add(boundedUrlReaderFactory);
backend.add(
  createPortalRoot({
    version,
    descriptions: {
      'ide-launcher': descriptionOf('@slipway/plugin-ide-launcher-backend'),
      'delivery-lake': descriptionOf('@slipway/plugin-delivery-lake-backend'),
      catalog: descriptionOf('@slipway/plugin-catalog-backend-module-contract'),
      demo: descriptionOf('@slipway/plugin-demo-backend'),
      admin: descriptionOf('@slipway/backend'),
      inbox: resolvePackagePath('@slipway/backend', 'inbox.openapi.yaml'),
    },
  }),
);

// Portal
backend.add(import('@backstage/plugin-app-backend'));
backend.add(import('@backstage/plugin-auth-backend'));
backend.add(import('@slipway/plugin-auth-backend-module-dev'));
backend.add(import('@backstage/plugin-auth-backend-module-oidc-provider'));
backend.add(import('@backstage/plugin-permission-backend'));
backend.add(permissionPolicyModule);
backend.add(import('@backstage/plugin-user-settings-backend'));

// Catalog and search
backend.add(import('@backstage/plugin-catalog-backend'));
backend.add(import('@backstage/plugin-catalog-backend-module-logs'));
backend.add(import('@slipway/plugin-catalog-backend-module-contract'));
backend.add(import('@backstage/plugin-search-backend'));
backend.add(import('@backstage/plugin-search-backend-module-catalog'));
// Takes over if the database is PostgreSQL.
backend.add(import('@backstage/plugin-search-backend-module-pg'));
backend.add(searchModule);

// The proxy to the companion services for the portal's pages
backend.add(serviceProxyPlugin);

// The audit log of the portal
backend.add(administrationPlugin);

// The inbox of each user, on Home and as notifications
backend.add(inboxPlugin);

// Live updates
backend.add(import('@backstage/plugin-events-backend'));
backend.add(import('@backstage/plugin-notifications-backend'));
backend.add(notificationChannels);
backend.add(sentNotificationsModule);
backend.add(import('@backstage/plugin-signals-backend'));
backend.add(openSignalsModule);

// Slipway
backend.add(import('@slipway/plugin-ide-launcher-backend'));
backend.add(import('@slipway/plugin-delivery-lake-backend'));
backend.add(import('@slipway/plugin-feature-flags-backend'));
backend.add(import('@slipway/plugin-demo-backend'));

backend.start().catch(error => {
  // Exits, because a partially started backend only looks healthy.
  process.stderr.write(`The portal did not start: ${error.message}\n`);
  process.exit(1);
});
