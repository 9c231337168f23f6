import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import {
  catalogLocationsExtensionPoint,
  catalogProcessingExtensionPoint,
  catalogServiceRef,
} from '@backstage/plugin-catalog-node';
import { readContractModuleOptions } from './config';
import { createEntityRoutes } from './entities/routes';
import { DescriptorReader } from './locations/DescriptorReader';
import { DuplicateCheck } from './locations/DuplicateCheck';
import { FileLocationGuard } from './locations/FileLocationGuard';
import { FileTargets } from './locations/FileTargets';
import { createLocationRoutes } from './locations/routes';

/**
 * The catalog's part of the contract (group A). A module starts before its
 * plugin, so its routes stand in front of the catalog's own.
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
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        locations: catalogLocationsExtensionPoint,
        permissions: coreServices.permissions,
        processing: catalogProcessingExtensionPoint,
      },
      async init(deps) {
        const { auth, catalog, httpRouter, processing } = deps;
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
        httpRouter.use(createEntityRoutes());
        httpRouter.use(
          createLocationRoutes({
            ...deps,
            files,
            reader: new DescriptorReader({
              auth,
              catalog,
              timeoutMs: options.readTimeoutMs,
            }),
            duplicates: new DuplicateCheck({ auth, catalog }),
          }),
        );
      },
    });
  },
});
