import type { Context } from 'unleash-client';
import { presentSegment, presentToClient } from '../client/presentFlag.ts';
import { scopeQuery } from '../client/scopeQuery.ts';
import type { FlagSnapshot } from '../client/FlagSnapshot.ts';
import type { TokenScope } from '../model/ApiToken.ts';
import { sdkEvaluator, type SdkVariant } from './sdkEvaluator.ts';

/** Maximum number of scopes with prepared flags; tokens have few scopes. */
const MAX_SCOPES = 200;

/** The result of one flag for one context. */
export interface Evaluation {
  readonly name: string;
  readonly enabled: boolean;
  readonly impressionData: boolean;
  readonly variant: SdkVariant;
}

interface PreparedScope {
  readonly asOf: string;
  readonly revision: number;
  readonly variantOf: ReturnType<typeof sdkEvaluator>;
  readonly flags: readonly { name: string; impressionData: boolean }[];
}

/** Evaluates flags for SDKs that only get results. */
export class Evaluator {
  readonly #snapshot: FlagSnapshot;
  readonly #prepared = new Map<string, PreparedScope>();

  constructor(snapshot: FlagSnapshot) {
    this.#snapshot = snapshot;
  }

  /**
   * Evaluates every flag in the scope of a token, by name.
   *
   * @throws UnavailableError while flags are being loaded.
   */
  evaluate(scope: TokenScope, context: Context): Evaluation[] {
    const { variantOf, flags } = this.#prepare(scope);
    return flags.map(({ name, impressionData }) => {
      // Evaluated once for both, because random strategies could give another result the second time.
      const variant = variantOf(name, context);
      const enabled = Boolean(variant.feature_enabled);
      return { name, enabled, impressionData, variant };
    });
  }

  /** Returns the revision of the latest change in the scope of a token. */
  revisionOf(scope: TokenScope): number {
    return this.#prepare(scope).revision;
  }

  /** Reads what other replicas have changed. @throws Error if the database is down. */
  refresh(): Promise<void> {
    return this.#snapshot.refresh();
  }

  #prepare(scope: TokenScope): PreparedScope {
    const query = scopeQuery(scope);
    const asOf = `${this.#snapshot.lineage}:${this.#snapshot.revision}`;
    const kept = this.#prepared.get(query.key);
    if (kept?.asOf === asOf) {
      return kept;
    }
    const { flags, segments, revision } = this.#snapshot.select(query);
    const { environment } = scope;
    const features = new Map(
      flags.map(flag => [flag.name, presentToClient(flag, { environment })]),
    );
    const variantOf = sdkEvaluator({
      flag: name => features.get(name),
      segment(id) {
        const segment = segments.get(id);
        return segment && presentSegment(segment);
      },
    });
    if (this.#prepared.size >= MAX_SCOPES) {
      this.#prepared.clear();
    }
    const prepared = {
      asOf,
      revision,
      variantOf,
      flags: flags.map(({ name, impressionData }) => ({
        name,
        impressionData,
      })),
    };
    this.#prepared.set(query.key, prepared);
    return prepared;
  }
}
