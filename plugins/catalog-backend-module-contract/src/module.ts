import {
  coreServices,
  createBackendModule,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import {
  catalogLocationsExtensionPoint,
  catalogProcessingExtensionPoint,
  catalogServiceRef,
} from '@backstage/plugin-catalog-node';
import { catalogModelExtensionPoint } from '@backstage/plugin-catalog-node/alpha';
import { readinessRef, serveOpenApi } from '@slipway/portal-kit';
import { DatabaseEntityClaims } from './claims/DatabaseEntityClaims';
import { CollectionProvider } from './collections/CollectionProvider';
import { createCollectionRoutes } from './collections/routes';
import { readContractModuleOptions } from './config';
import { createEntityRoutes } from './entities/routes';
import { DescriptorReader } from './locations/DescriptorReader';
import {
  createFilePlaceholder,
  FileLocationGuard,
} from './locations/FileLocationGuard';
import { FileTargets } from './locations/FileTargets';
import { createDescriptorParser } from './locations/parseDescriptor';
import { Registrations } from './locations/Registrations';
import { createLocationRoutes } from './locations/routes';

/**
 * The catalog's part of the contract (group A). A module starts before its plugin, so its routes
 * take precedence over the catalog's own.
 */
export const catalogModuleContract = createBackendModule({
  pluginId: 'catalog',
  moduleId: 'slipway-contract',
  register(env) {
    env.registerInit({
      deps: {
        auth: coreServices.auth,
        catalog: catalogServiceRef,
        config: coreServices.rootConfig,
        database: coreServices.database,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        locations: catalogLocationsExtensionPoint,
        model: catalogModelExtensionPoint,
        permissions: coreServices.permissions,
        processing: catalogProcessingExtensionPoint,
        readiness: readinessRef,
      },
      async init(deps) {
        const { auth, catalog, httpRouter, processing } = deps;
        deps.readiness.watch('catalog', await deps.database.getClient());
        const options = readContractModuleOptions(deps.config);
        const files = new FileTargets(options.folders);
        if (options.folders.length > 0) {
          deps.locations.setAllowedLocationTypes(['url', 'file']);
        }
        processing.addProcessor(
          new FileLocationGuard({
            files,
            configuredFiles: options.configuredFiles,
          }),
        );
        processing.addPlaceholderResolver('file', createFilePlaceholder(files));
        deps.model.setEntityDataParser(createDescriptorParser(options));
        const collections = new Map(
          options.collections.map(namespace => [
            namespace,
            new CollectionProvider(namespace),
          ]),
        );
        for (const collection of collections.values()) {
          processing.addEntityProvider(collection);
        }
        await serveOpenApi({
          httpRouter,
          file: resolvePackagePath(
            '@slipway/plugin-catalog-backend-module-contract',
            'openapi.yaml',
          ),
        });
        httpRouter.use(createEntityRoutes());
        httpRouter.use(createCollectionRoutes({ ...deps, collections }));
        httpRouter.use(
          createLocationRoutes({
            ...deps,
            files,
            reader: new DescriptorReader({
              auth,
              catalog,
              files,
              timeoutMs: options.readTimeoutMs,
            }),
            registrations: new Registrations({
              auth,
              catalog,
              claims: await DatabaseEntityClaims.open(deps.database),
              files,
            }),
          }),
        );
      },
    });
  },
});
