import { ConflictError } from '@slipway/service-kit';
import type { FeatureFlagsConfig } from '../config.ts';
import type { FlagAdmin } from './FlagAdmin.ts';

/** Creates the flags of the configuration that are not there; what people made of one stays. */
export async function createConfiguredFlags(
  flags: FlagAdmin,
  configured: FeatureFlagsConfig['flags'],
): Promise<void> {
  for (const flag of configured) {
    try {
      await flags.create(
        {
          ...flag,
          project: 'default',
          stale: false,
          impressionData: false,
          strategies: [{ name: 'default', parameters: {} }],
          variants: [],
        },
        'configuration',
      );
    } catch (error) {
      if (!(error instanceof ConflictError)) {
        throw error;
      }
    }
  }
}
