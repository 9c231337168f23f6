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
import { forges } from './forges';
import { ReadingRules } from './ReadingRules';

/** Integrations of stores that are read by the vendor's own library, with its signatures. */
const OBJECT_STORES: ReadonlySet<string> = new Set([
  'awsCodeCommit',
  'awsS3',
  'azureBlobStorage',
  'googleGcs',
]);

const listedHosts: ReaderFactory = ({ config }) => {
  const integrations = ScmIntegrations.fromConfig(config);
  const rules = new ReadingRules(config);
  return [
    {
      reader: new GuardedUrlReader(new GuardedFetch({ rules })),
      predicate: url =>
        rules.judge(url) !== 'refused' &&
        !OBJECT_STORES.has(integrations.byUrl(url)?.type ?? ''),
    },
  ];
};

/**
 * Makes Backstage's reader, for all plugins, within limits and address rules:
 * {@link BoundedUrlReader} around its readers of {@link forges} and object stores, and
 * {@link GuardedUrlReader} for all other hosts.
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
        factories: [...factories, forges, listedHosts],
      }),
      patterns: new Set(configuredTargets(config)),
    });
  },
});

function configuredTargets(config: Config): string[] {
  const locations = config.getOptionalConfigArray('catalog.locations') ?? [];
  return locations.map(location => location.getString('target'));
}
