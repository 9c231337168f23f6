import {
  LoggerService,
  RootLifecycleService,
} from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import {
  countersInMemory,
  countersInRedis,
  MinuteCount,
  MinuteCounters,
} from '@slipway/platform-guards';
import {
  Budget,
  ExternalSubjects,
  MinuteLimits,
  PLUGIN_SUBJECT_PREFIX,
} from './budgetOf';

/** The limits, and the store of the counters. */
interface LimitOptions {
  enabled: boolean;
  perMinute: MinuteLimits;
  /** Address of the Redis server shared by replicas; if missing, each process counts on its own. */
  redis?: string;
}

/** The contract's limits for group A. */
const DEFAULTS: MinuteLimits = {
  user: 100,
  service: 1_000,
  anonymous: 100,
};

const MINUTE_MS = 60_000;

const STORES = ['memory', 'redis'];

/**
 * Reads `slipway.rateLimit`.
 *
 * @throws Error naming the invalid key.
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

/** The remaining budget after counting a request. */
interface Consumption {
  limit: number;
  remaining: number;
  /** End of the current minute, in whole seconds since the Unix epoch. */
  resetAt: number;
  /** Whole seconds until the end of the minute, at least 1. */
  resetAfter: number;
  /** True if this request exceeded the limit. */
  exceeded: boolean;
}

/** Counts requests against budgets; shared by all plugins of a process. */
export class RateLimits {
  readonly #counters: MinuteCounters;

  constructor(counters: MinuteCounters) {
    this.#counters = counters;
  }

  /** Counts a request. */
  async consume({ key, perMinute }: Budget): Promise<Consumption> {
    const count = await this.#counters.count(key, perMinute);
    return consumptionOf(count, perMinute, count.requests > perMinute);
  }

  /**
   * Returns the remaining budget without counting; `exceeded` if another request would exceed
   * the limit.
   */
  async look({ key, perMinute }: Budget): Promise<Consumption> {
    const count = (await this.#counters.read(key, perMinute)) ?? {
      requests: 0,
      endsInMs: MINUTE_MS,
    };
    return consumptionOf(count, perMinute, count.requests >= perMinute);
  }
}

function consumptionOf(
  { requests, endsInMs }: MinuteCount,
  perMinute: number,
  exceeded: boolean,
): Consumption {
  return {
    limit: perMinute,
    remaining: Math.max(0, perMinute - requests),
    resetAt: Math.ceil((Date.now() + endsInMs) / 1_000),
    resetAfter: Math.max(1, Math.ceil(endsInMs / 1_000)),
    exceeded,
  };
}

/** The limits of this process, as configured. */
interface OpenLimits {
  limits: RateLimits;
  options: LimitOptions;
  subjects: ExternalSubjects;
}

/**
 * Opens the counters that all plugins of this process share.
 *
 * @throws Error if the configuration is invalid.
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
    ? await countersInRedis({ url: options.redis, owner: 'portal', logger })
    : countersInMemory();
  lifecycle.addShutdownHook(() => counters.close());
  return {
    limits: new RateLimits(counters),
    options,
    subjects: new ExternalSubjects(config),
  };
}

/** Rejects configured token subjects that look like a portal plugin's, whose requests are not counted. */
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
