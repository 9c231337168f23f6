import { createRequire } from 'node:module';
import type { Context } from 'unleash-client';
import { presentSegment, presentToClient } from '../client/presentFlag.ts';
import { scopeQuery } from '../client/scopeQuery.ts';
import type { FlagSnapshot } from '../client/FlagSnapshot.ts';
import type { TokenScope } from '../model/ApiToken.ts';

// CommonJS without exports of its own for these parts: the evaluator of the SDK itself.
const require = createRequire(import.meta.url);
const { default: UnleashClient } =
  require('unleash-client/lib/client') as typeof import('unleash-client/lib/client');
const { defaultStrategies } =
  require('unleash-client/lib/strategy') as typeof import('unleash-client/lib/strategy');

type Repository = ConstructorParameters<typeof UnleashClient>[0];

/** Scopes whose flags are kept ready; there are few scopes of tokens. */
const MOST_SCOPES = 200;

/** What one flag is for one context. */
export interface Evaluation {
  readonly name: string;
  readonly enabled: boolean;
  readonly impressionData: boolean;
  readonly variant: ReturnType<
    InstanceType<typeof UnleashClient>['getVariant']
  >;
}

interface PreparedScope {
  readonly asOf: string;
  readonly client: InstanceType<typeof UnleashClient>;
  readonly flags: readonly { name: string; impressionData: boolean }[];
}

/** Evaluates flags for SDKs that are told results alone, by the evaluator of Unleash's own Node SDK. */
export class Evaluator {
  readonly #snapshot: FlagSnapshot;
  readonly #prepared = new Map<string, PreparedScope>();

  constructor(snapshot: FlagSnapshot) {
    this.#snapshot = snapshot;
  }

  /**
   * Evaluates every flag that a token shows, by name.
   *
   * @throws UnavailableError while flags are loaded.
   */
  evaluate(scope: TokenScope, context: Context): Evaluation[] {
    const { client, flags } = this.#prepare(scope);
    return flags.map(({ name, impressionData }) => {
      // One evaluation for both: one by chance would come out otherwise the second time.
      const variant = variantOf(client, name, context);
      const enabled = Boolean(variant.feature_enabled);
      return { name, enabled, impressionData, variant };
    });
  }

  #prepare(scope: TokenScope): PreparedScope {
    const query = scopeQuery(scope);
    const asOf = `${this.#snapshot.lineage}:${this.#snapshot.revision}`;
    const kept = this.#prepared.get(query.key);
    if (kept?.asOf === asOf) {
      return kept;
    }
    const { flags, segments } = this.#snapshot.select(query);
    const { environment } = scope;
    const features = new Map(
      flags.map(flag => [flag.name, presentToClient(flag, { environment })]),
    );
    const repository = {
      getToggle: (name: string) => features.get(name),
      getSegment(id: number) {
        const segment = segments.get(id);
        return segment && presentSegment(segment);
      },
    };
    const client = new UnleashClient(
      repository as unknown as Repository,
      defaultStrategies,
    );
    // What it has to say of a flag stands in the flag's problems.
    client.on('error', () => {});
    if (this.#prepared.size >= MOST_SCOPES) {
      this.#prepared.clear();
    }
    const prepared = {
      asOf,
      client,
      flags: flags.map(({ name, impressionData }) => ({
        name,
        impressionData,
      })),
    };
    this.#prepared.set(query.key, prepared);
    return prepared;
  }
}

/** A context that a strategy fails at is one that it does not let in; the other flags are told of. */
function variantOf(
  client: PreparedScope['client'],
  name: string,
  context: Context,
): Evaluation['variant'] {
  try {
    return client.getVariant(name, context);
  } catch {
    return {
      name: 'disabled',
      enabled: false,
      feature_enabled: false,
      featureEnabled: false,
    };
  }
}
