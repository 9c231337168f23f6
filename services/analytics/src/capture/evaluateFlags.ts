import type { ServiceKit } from '@slipway/service-kit';
import { Unleash } from 'unleash-client';
import type { EvaluateFlags, FlagValue } from './flagRoutes.ts';

const APP_NAME = 'slipway-analytics';

/**
 * Evaluates the flags of the feature-flag service for the users of SDKs. Fetches the
 * flags in the background, and keeps using the last known ones while the service is
 * unavailable.
 */
export function evaluateFlags(
  kit: Pick<ServiceKit, 'logger' | 'onStop'>,
  options: { url: string; token: string },
): EvaluateFlags {
  const unleash = new Unleash({
    appName: APP_NAME,
    url: new URL('/api/', options.url).href,
    customHeaders: { Authorization: options.token },
  });
  let isKnown = false;
  unleash.on('synchronized', () => {
    isKnown = true;
  });
  unleash.on('error', (error: unknown) =>
    kit.logger.debug({ err: error }, 'Flags could not be read'),
  );
  unleash.on('warn', (warning: unknown) =>
    kit.logger.debug({ warning }, 'Flags could not be read'),
  );
  kit.onStop(() => unleash.destroy());
  return async ({ distinctId, properties }) => {
    if (!isKnown) {
      throw new Error('The flags are not available yet');
    }
    const context = {
      userId: distinctId,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
    };
    const flags: Record<string, FlagValue> = Object.create(null);
    for (const { name } of unleash.getFeatureToggleDefinitions()) {
      const { enabled, name: variant } = unleash.getVariant(name, context);
      flags[name] = enabled ? variant : unleash.isEnabled(name, context);
    }
    return flags;
  };
}
