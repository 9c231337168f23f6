import { createRequire } from 'node:module';
import type { Context } from 'unleash-client';
import type { presentToClient } from '../client/presentFlag.ts';
import type { ClientSegment } from '../model/Segment.ts';

// CommonJS without exports of its own for these parts: the evaluator of the SDK itself.
const require = createRequire(import.meta.url);
const { default: UnleashClient } =
  require('unleash-client/lib/client') as typeof import('unleash-client/lib/client');
const { defaultStrategies } =
  require('unleash-client/lib/strategy') as typeof import('unleash-client/lib/strategy');

type Repository = ConstructorParameters<typeof UnleashClient>[0];

/** The variant that a context gets, and whether the flag is on for it. */
export type SdkVariant = ReturnType<
  InstanceType<typeof UnleashClient>['getVariant']
>;

/** A flag as SDKs read it. */
export type SdkFlag = Partial<ReturnType<typeof presentToClient>> & {
  readonly name: string;
};

/** What an SDK knows. */
export interface SdkState {
  flag(name: string): SdkFlag | undefined;
  segment(id: number): ClientSegment | undefined;
}

/** Evaluates flags by the evaluator of Unleash's own Node SDK. */
export function sdkEvaluator({
  flag,
  segment,
}: SdkState): (name: string, context: Context) => SdkVariant {
  const repository = { getToggle: flag, getSegment: segment };
  const client = new UnleashClient(
    repository as unknown as Repository,
    defaultStrategies,
  );
  // What it has to say of a flag stands in the flag's problems.
  client.on('error', () => {});
  return (name, context) => {
    try {
      return client.getVariant(name, context);
    } catch {
      // A context that a strategy fails at is one that it does not let in.
      return {
        name: 'disabled',
        enabled: false,
        feature_enabled: false,
        featureEnabled: false,
      };
    }
  };
}
