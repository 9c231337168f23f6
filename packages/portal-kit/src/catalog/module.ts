import { createBackendModule } from '@backstage/backend-plugin-api';
import { catalogProcessingExtensionPoint } from '@backstage/plugin-catalog-node';
import { resolveFilePlaceholder } from './filePlaceholder';

/** Lets descriptors in this repository name their API descriptions by path, with `$file`. */
export const catalogFilesModule = createBackendModule({
  pluginId: 'catalog',
  moduleId: 'slipway-files',
  register(env) {
    env.registerInit({
      deps: { catalog: catalogProcessingExtensionPoint },
      async init({ catalog }) {
        catalog.addPlaceholderResolver('file', resolveFilePlaceholder);
      },
    });
  },
});
