import { ConflictError } from '@slipway/service-kit';
import type { FeatureFlagsConfig } from '../config.ts';
import { NEW_TRAITS } from '../model/Flag.ts';
import type { FlagAdmin } from './FlagAdmin.ts';

/** Creates configured flags that do not exist; existing ones are not changed. */
export async function createConfiguredFlags(
  flags: FlagAdmin,
  configured: FeatureFlagsConfig['flags'],
  environment: string,
): Promise<void> {
  for (const flag of configured) {
    try {
      await flags.create(
        {
          ...NEW_TRAITS,
          ...flag,
          project: 'default',
          strategies: [{ name: 'default', parameters: {} }],
          variants: [],
        },
        { by: 'configuration', environment },
      );
    } catch (error) {
      if (!(error instanceof ConflictError)) {
        throw error;
      }
    }
  }
}
