import type { ServiceKit } from '@slipway/service-kit';
import { Unleash } from 'unleash-client';
import { defineFlag, type FlagDefinition } from './defineFlag.ts';

const APP_NAME = 'slipway-analytics';

/** The value of a flag for a person: the name of a variant, or whether it is on. */
export type FlagValue = string | boolean;

/** The person that flags are evaluated for, as an SDK describes it. */
export interface FlagSubject {
  readonly distinctId: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The source of the flags that SDKs receive. */
export interface FlagSource {
  /** Evaluates every flag for a person; rejects if the flags are unknown. */
  evaluate(subject: FlagSubject): Promise<Record<string, FlagValue>>;
  /** Returns what SDKs need to evaluate flags themselves; undefined if they are unknown. */
  definitions(): FlagDefinition[] | undefined;
}

/**
 * Opens the source of flags that evaluates the feature-flag service's flags for the users
 * of SDKs. It fetches the flags in the background, and keeps using the last known ones
 * while the service is unavailable.
 */
export function openFlags(
  kit: Pick<ServiceKit, 'logger' | 'onStop'>,
  options: { url: string; token: string },
): FlagSource {
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
  const evaluate = async ({
    distinctId,
    properties,
  }: FlagSubject): Promise<Record<string, FlagValue>> => {
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
  return {
    evaluate,
    definitions: () =>
      isKnown
        ? unleash.getFeatureToggleDefinitions().map(defineFlag)
        : undefined,
  };
}
