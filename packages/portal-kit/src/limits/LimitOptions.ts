import { Config } from '@backstage/config';

/** The requests that a fixed minute may have, by who sends them, and the store that counts them. */
export interface LimitOptions {
  enabled: boolean;
  perMinute: {
    /** The limit of one user. */
    user: number;
    /** The limit of one service token. */
    service: number;
    /** The limit of one address that shows no valid credential. */
    anonymous: number;
  };
  /** Address of the Redis in which replicas count together; absent: each process counts for itself. */
  redis?: string;
}

/** The contract's limits of group A. */
const DEFAULTS: LimitOptions['perMinute'] = {
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
export function readLimitOptions(config: Config): LimitOptions {
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
