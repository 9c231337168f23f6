import {
  findProductionFaults,
  type ProductionFault,
} from '@slipway/platform-guards';
import type { ConfigurationOrigin } from './readSection.ts';

/** What {@link readSection} takes from elsewhere: the addresses of the portal. */
const PORTAL_KEYS: readonly string[] = ['app.baseUrl', 'backend.baseUrl'];

/**
 * Finds what keeps a service from running in production with the configuration that it
 * reads; none elsewhere.
 */
export function findFaults(
  origin: ConfigurationOrigin,
): Promise<ProductionFault[]> {
  const { configKey, ...rest } = origin;
  return findProductionFaults({
    ...rest,
    nodeEnv: origin.env.NODE_ENV,
    reads: key => key.startsWith(`${configKey}.`) || PORTAL_KEYS.includes(key),
  });
}
