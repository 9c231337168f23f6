import { createBackend } from '@backstage/backend-defaults';
import { resolvePackagePath } from '@backstage/backend-plugin-api';
import {
  boundedUrlReaderFactory,
  contractHttpRouterFactory,
  contractRootHttpRouterFactory,
  createPortalRoot,
  permissionPolicyModule,
  productionGuardFactory,
} from '@slipway/portal-kit';
import { version } from '../package.json';
import { serviceProxyPlugin } from './serviceProxy/plugin';

const descriptionOf = (plugin: string) =>
  resolvePackagePath(plugin, 'openapi.yaml');

const backend = createBackend();

// Slipway's own service factories
backend.add(productionGuardFactory);
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
// Takes over where the database is PostgreSQL.
backend.add(import('@backstage/plugin-search-backend-module-pg'));

// The companion services, for the pages of the portal
backend.add(serviceProxyPlugin);

// Live updates
backend.add(import('@backstage/plugin-events-backend'));
backend.add(import('@backstage/plugin-notifications-backend'));
backend.add(import('@backstage/plugin-signals-backend'));

// Slipway
backend.add(import('@slipway/plugin-ide-launcher-backend'));
backend.add(import('@slipway/plugin-delivery-lake-backend'));
backend.add(import('@slipway/plugin-feature-flags-backend'));

backend.start().catch(error => {
  // A back end that is up in part looks healthy to nobody and helps nobody.
  process.stderr.write(`The portal did not start: ${error.message}\n`);
  process.exit(1);
});
