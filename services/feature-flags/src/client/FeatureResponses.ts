import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import type { TokenScope } from '../model/ApiToken.ts';
import { type Flag, LIST_VERSION } from '../model/Flag.ts';
import { type FlagSnapshot, segmentsOf } from './FlagSnapshot.ts';
import { presentSegment, presentToClient } from './presentFlag.ts';
import { type FeatureFilter, scopeQuery } from './scopeQuery.ts';

const gzip = promisify(gzipCallback);

/** Minimum length of bodies that are worth compressing, in bytes. */
const SMALLEST_PACKED = 1_024;
/**
 * Maximum length of ASCII bodies that are sent as strings, which Node.js writes together with the
 * headers. Longer strings would be copied, and other characters encoded, on each request.
 */
const LONGEST_STRING = 4_096;
/** Maximum number of cached responses: token scopes and filters are few. */
const MAX_RESPONSES = 200;

/** The response for every token of one scope. */
export interface FeatureResponse {
  /**
   * Weak, since it is shared by the compressed and the plain body. It depends on the
   * visible content: changes outside of the scope do not change it, in any replica.
   */
  readonly etag: string;
  /** The revision of the latest visible change. */
  readonly revision: number;
  readonly body: Buffer | string;
  /** Returns the body, compressed on first use; undefined if compression gains nothing. */
  packed(): Promise<Buffer> | undefined;
}

interface CachedResponse extends FeatureResponse {
  /** The state of all flags that the response was built from. */
  readonly asOf: { readonly lineage: string; readonly revision: number };
}

/** Caches one response for each scope and filter, rebuilt when flags have changed. */
export class FeatureResponses {
  readonly #snapshot: FlagSnapshot;
  readonly #responses = new Map<string, CachedResponse>();
  /** The responses without a filter, which nearly all SDKs request. */
  readonly #whole = new WeakMap<TokenScope, Map<boolean, CachedResponse>>();
  /** Flags serialised for responses, once for each change and environment. */
  readonly #texts = new WeakMap<Flag, Map<string, string>>();

  constructor(snapshot: FlagSnapshot) {
    this.#snapshot = snapshot;
  }

  /**
   * Returns the response for a scope and a filter, from the cache if flags have not changed.
   *
   * @param options.readsSegments - whether the SDK reads segments separately from
   * strategies.
   * @throws UnavailableError while flags are being loaded.
   */
  of(
    scope: TokenScope,
    options: { filter?: FeatureFilter; readsSegments: boolean },
  ): FeatureResponse {
    const { filter = {}, readsSegments } = options;
    if (filter.project?.length || filter.namePrefix || filter.tag?.length) {
      return this.#find(scope, filter, readsSegments);
    }
    const whole = this.#whole.get(scope) ?? new Map<boolean, CachedResponse>();
    const kept = whole.get(readsSegments);
    if (kept && this.#isCurrent(kept)) {
      return kept;
    }
    const response = this.#find(scope, filter, readsSegments);
    this.#whole.set(scope, whole.set(readsSegments, response));
    return response;
  }

  #isCurrent({ asOf }: CachedResponse): boolean {
    const { lineage, revision } = this.#snapshot;
    return asOf.revision === revision && asOf.lineage === lineage;
  }

  #find(
    scope: TokenScope,
    filter: FeatureFilter,
    readsSegments: boolean,
  ): CachedResponse {
    const query = scopeQuery(scope, filter);
    const key = `${readsSegments}${query.key}`;
    const kept = this.#responses.get(key);
    if (kept && this.#isCurrent(kept)) {
      return kept;
    }
    if (this.#responses.size >= MAX_RESPONSES) {
      this.#responses.clear();
    }
    const { lineage, revision } = this.#snapshot;
    const response = {
      asOf: { lineage, revision },
      ...this.#build(query, readsSegments),
    };
    this.#responses.set(key, response);
    return response;
  }

  #build(
    query: ReturnType<typeof scopeQuery>,
    readsSegments: boolean,
  ): FeatureResponse {
    const { environment, echo } = query;
    const { flags, segments, revision } = this.#snapshot.select(query);
    const features = flags.map(flag => {
      const isPlain =
        readsSegments || segmentsOf(flag, environment).length === 0;
      return isPlain
        ? this.#textOf(flag, environment)
        : JSON.stringify(
            presentToClient(flag, { environment, inline: segments }),
          );
    });
    const echoed = JSON.stringify({
      ...echo,
      ...(readsSegments && { inlineSegmentConstraints: false }),
    });
    const parts = [
      `"version":${LIST_VERSION}`,
      `"features":[${features.join(',')}]`,
      ...(readsSegments
        ? [
            `"segments":${JSON.stringify(
              [...segments.values()].map(presentSegment),
            )}`,
          ]
        : []),
      `"query":${echoed}`,
    ].join(',');
    const digest = createHash('sha256').update(parts).digest('hex');
    const etag = tagOf(digest, revision);
    const meta = JSON.stringify({ revisionId: revision, etag });
    const text = `{${parts},"meta":${meta}}`;
    const bytes = Buffer.from(text);
    const isShort =
      bytes.length === text.length && bytes.length <= LONGEST_STRING;
    let packed: Promise<Buffer> | undefined;
    return {
      etag,
      revision,
      body: isShort ? text : bytes,
      packed() {
        if (bytes.length >= SMALLEST_PACKED) {
          packed ??= gzip(bytes);
        }
        return packed;
      },
    };
  }

  #textOf(flag: Flag, environment: string): string {
    const texts = this.#texts.get(flag) ?? new Map<string, string>();
    const text =
      texts.get(environment) ??
      JSON.stringify(presentToClient(flag, { environment }));
    this.#texts.set(flag, texts.set(environment, text));
    return text;
  }
}

function tagOf(digest: string, revision: number): string {
  return `W/"${digest.slice(0, 12)}:${revision}"`;
}

/** Returns the revision in the entity tag of a response; undefined if it has another format. */
export function revisionIn(etag: string): number | undefined {
  const [, revision] = /^W\/"[0-9a-f]{12}:(\d{1,15})"$/.exec(etag) ?? [];
  return revision === undefined ? undefined : Number(revision);
}
