import {
  LoggerService,
  RootLifecycleService,
} from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import {
  Budget,
  ExternalSubjects,
  MinuteLimits,
  PLUGIN_SUBJECT_PREFIX,
} from './budgetOf';
import { Counters, countersInMemory, countersInRedis } from './openCounters';

/** The limits, and the store that counts. */
interface LimitOptions {
  enabled: boolean;
  perMinute: MinuteLimits;
  /** Address of the Redis in which replicas count together; absent: each process counts for itself. */
  redis?: string;
}

/** The contract's limits of group A. */
const DEFAULTS: MinuteLimits = {
  user: 100,
  service: 1_000,
  anonymous: 100,
};

const STORES = ['memory', 'redis'];

/**
 * Reads `slipway.rateLimit`.
 *
 * @throws Error naming the key that is wrong.
 */
function readLimitOptions(config: Config): LimitOptions {
  const section = config.getOptionalConfig('slipway.rateLimit');
  const perMinute = (key: string, fallback: number) => {
    const value = section?.getOptionalNumber(key) ?? fallback;
    if (!Number.isInteger(value) || value < 1) {
      throw new Error(`slipway.rateLimit.${key} must be a whole number from 1`);
    }
    return value;
  };
  const store = section?.getOptionalString('store') ?? 'memory';
  if (!STORES.includes(store)) {
    throw new Error(
      `slipway.rateLimit.store must be one of ${STORES.join(', ')}`,
    );
  }
  return {
    enabled: section?.getOptionalBoolean('enabled') ?? true,
    perMinute: {
      user: perMinute('userPerMinute', DEFAULTS.user),
      service: perMinute('servicePerMinute', DEFAULTS.service),
      anonymous: perMinute('anonymousPerMinute', DEFAULTS.anonymous),
    },
    redis: store === 'redis' ? section?.getString('redis') : undefined,
  };
}

/** What a budget has left after a request was counted. */
interface Consumption {
  limit: number;
  remaining: number;
  /** When the minute is over, in whole seconds since the epoch. */
  resetAt: number;
  /** Whole seconds until then, at least 1. */
  resetAfter: number;
  /** True when this request was one too many. */
  exceeded: boolean;
}

/** Counts requests against budgets; one for all plugins of a process. */
export class RateLimits {
  readonly #counters: Counters;

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Counts one request. */
  consume(budget: Budget): Promise<Consumption> {
    return this.#count(budget, 1);
  }

  /** Says what is left without counting; `exceeded` where a request would be too many. */
  look(budget: Budget): Promise<Consumption> {
    return this.#count(budget, 0);
  }

  async #count({ key, perMinute }: Budget, count: 0 | 1): Promise<Consumption> {
    const { requests, endsInMs } = await this.#counters.count(
      key,
      perMinute,
      count,
    );
    return {
      limit: perMinute,
      remaining: Math.max(0, perMinute - requests),
      resetAt: Math.ceil((Date.now() + endsInMs) / 1_000),
      resetAfter: Math.max(1, Math.ceil(endsInMs / 1_000)),
      exceeded: requests + 1 - count > perMinute,
    };
  }
}

/** The limits of this process, by configuration. */
interface OpenLimits {
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
