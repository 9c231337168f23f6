import {
  ReaderFactory,
  UrlReaders,
  urlReaderFactoriesServiceRef,
} from '@backstage/backend-defaults/urlReader';
import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { GuardedFetch } from '@slipway/platform-guards';
import { BoundedUrlReader } from './BoundedUrlReader';
import { GuardedUrlReader } from './GuardedUrlReader';
import { integratedHosts } from './integratedHosts';
import { ListedHosts } from './ListedHosts';

const listedHosts: ReaderFactory = options => {
  const integrations = ScmIntegrations.fromConfig(options.config);
  const rules = new ListedHosts(options);
  return [
    {
      reader: new GuardedUrlReader(new GuardedFetch({ rules })),
      predicate: url =>
        rules.judge(url) !== 'refused' && !integrations.byUrl(url),
    },
  ];
};

/**
 * Backstage's reader within limits, for all plugins: {@link BoundedUrlReader} around
 * its readers of integrations, and {@link GuardedUrlReader} for all other hosts.
 */
export const boundedUrlReaderFactory = createServiceFactory({
  service: coreServices.urlReader,
  deps: {
    config: coreServices.rootConfig,
    factories: urlReaderFactoriesServiceRef,
    logger: coreServices.logger,
  },
  async factory({ config, factories, logger }) {
    return new BoundedUrlReader({
      reader: UrlReaders.default({
        config,
        logger,
        factories: [...factories, integratedHosts, listedHosts],
      }),
      patterns: new Set(configuredTargets(config)),
    });
  },
});

function configuredTargets(config: Config): string[] {
  const locations = config.getOptionalConfigArray('catalog.locations') ?? [];
  return locations.map(location => location.getString('target'));
}
