import { createRequire } from 'node:module';
import type { Context } from 'unleash-client';
import type { presentToClient } from '../client/presentFlag.ts';
import type { ClientSegment } from '../model/Flag.ts';

type ClientModule = typeof import('unleash-client/lib/client');
type StrategyModule = typeof import('unleash-client/lib/strategy');
type UnleashClient = InstanceType<ClientModule['default']>;
type Repository = ConstructorParameters<ClientModule['default']>[0];

const require = createRequire(import.meta.url);

/**
 * Loads the evaluator of the SDK, which the CommonJS package does not export by name. Loaded on first
 * use, because it takes megabytes, and SDKs mostly request flags rather than results.
 */
function loadEvaluator() {
  const { default: Client } =
    require('unleash-client/lib/client') as ClientModule;
  const { defaultStrategies } =
    require('unleash-client/lib/strategy') as StrategyModule;
  return { Client, defaultStrategies };
}

/** The result for a context: whether the flag is on, and its variant. */
export type SdkVariant = ReturnType<UnleashClient['getVariant']>;

/** A flag in the SDKs' format. */
export type SdkFlag = Partial<ReturnType<typeof presentToClient>> & {
  readonly name: string;
};

/** The flags and segments of an SDK. */
export interface SdkState {
  flag(name: string): SdkFlag | undefined;
  segment(id: number): ClientSegment | undefined;
}

/** Evaluates flags with the evaluator of Unleash's Node SDK. */
export function sdkEvaluator({
  flag,
  segment,
}: SdkState): (name: string, context: Context) => SdkVariant {
  const { Client, defaultStrategies } = loadEvaluator();
  const repository = { getToggle: flag, getSegment: segment };
  const client = new Client(
    repository as unknown as Repository,
    defaultStrategies,
  );
  // Its warnings about a flag are already listed in the flag's problems.
  client.on('error', () => {});
  return (name, context) => {
    try {
      return client.getVariant(name, context);
    } catch {
      // A strategy that throws does not match.
      return {
        name: 'disabled',
        enabled: false,
        feature_enabled: false,
        featureEnabled: false,
      };
    }
  };
}
