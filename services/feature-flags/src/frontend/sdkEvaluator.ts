import { createRequire } from 'node:module';
import type { Context } from 'unleash-client';
import type { presentToClient } from '../client/presentFlag.ts';
import type { ClientSegment } from '../model/Segment.ts';

// The evaluator of the SDK, which the CommonJS package does not export by name.
const require = createRequire(import.meta.url);
const { default: UnleashClient } =
  require('unleash-client/lib/client') as typeof import('unleash-client/lib/client');
const { defaultStrategies } =
  require('unleash-client/lib/strategy') as typeof import('unleash-client/lib/strategy');

type Repository = ConstructorParameters<typeof UnleashClient>[0];

/** The result for a context: whether the flag is on, and its variant. */
export type SdkVariant = ReturnType<
  InstanceType<typeof UnleashClient>['getVariant']
>;

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
  const repository = { getToggle: flag, getSegment: segment };
  const client = new UnleashClient(
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
