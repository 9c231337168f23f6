import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import { ConfigSources } from '@backstage/config-loader';
import { assertFitForProduction } from './assertFitForProduction';

/**
 * The configuration, as Backstage reads it. In production it is refused while it holds
 * what belongs to development; as all else needs it, nothing listens before.
 */
export const productionGuardFactory = createServiceFactory({
  service: coreServices.rootConfig,
  deps: {},
  async factory() {
    const { argv, env } = process;
    const config = await ConfigSources.toConfig(
      ConfigSources.default({ argv, env }),
    );
    await assertFitForProduction(config, { argv, env });
    return config;
  },
});
