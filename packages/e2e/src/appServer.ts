import type { PartDefinition } from '@slipway/dev-runner/src/PartDefinition.ts';
import { addresses, ports } from './addresses.ts';

/** The app's development server, beside the back end's port instead of on it. */
export function appServer(part: PartDefinition): Partial<PartDefinition> {
  return {
    ports: [ports.appServer],
    readyUrl: addresses.appServer,
    env: {
      ...part.env,
      APP_CONFIG_app_baseUrl: JSON.stringify(addresses.appServer),
    },
  };
}
