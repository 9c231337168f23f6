import { Config } from '@backstage/config';
import {
  LoggerService,
  RootLifecycleService,
} from '@backstage/backend-plugin-api';
import { PLUGIN_SUBJECT_PREFIX } from './budgetOf';
import { ExternalSubjects } from './ExternalSubjects';
import { LimitOptions, readLimitOptions } from './LimitOptions';
import { countersInMemory, countersInRedis } from './openCounters';
import { RateLimits } from './RateLimits';

/** The limits of this process, by configuration. */
export interface OpenLimits {
  limits: RateLimits;
  options: LimitOptions;
  subjects: ExternalSubjects;
}

/**
 * Opens the counters that all plugins of this process share.
 *
 * @throws Error when the configuration is wrong.
 */
export async function openRateLimits(deps: {
  config: Config;
  logger: LoggerService;
  lifecycle: RootLifecycleService;
}): Promise<OpenLimits> {
  const { config, logger, lifecycle } = deps;
  assertNoPluginSubjects(config);
  const options = readLimitOptions(config);
  const counters = options.redis
    ? await countersInRedis({ url: options.redis, logger })
    : countersInMemory();
  lifecycle.addShutdownHook(() => counters.close());
  return {
    limits: new RateLimits(counters),
    options,
    subjects: new ExternalSubjects(config),
  };
}

/** Such a token would pass for a plugin of the portal, which nobody counts. */
function assertNoPluginSubjects(config: Config): void {
  const tokens = config.getOptionalConfigArray('backend.auth.externalAccess');
  tokens?.forEach((access, index) => {
    const subject = access.getOptionalString('options.subject');
    if (subject?.startsWith(PLUGIN_SUBJECT_PREFIX)) {
      throw new Error(
        `backend.auth.externalAccess[${index}].options.subject must not begin with ${PLUGIN_SUBJECT_PREFIX}`,
      );
    }
  });
}
