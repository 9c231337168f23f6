import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { LIST_VERSION } from '../flags/presentFlag.ts';
import type { TokenScope } from '../tokens/ApiToken.ts';
import type { FlagSnapshot } from './FlagSnapshot.ts';

const gzip = promisify(gzipCallback);

/** Raised when the same flags are worded otherwise, so that SDKs read them anew. */
const WORDING = 1;
/** Below it, packing gains nothing. */
const SMALLEST_PACKED = 1_024;
/** Scopes at most; there are as many as different tokens have, and those are few. */
const MOST_SCOPES = 1_000;

/** What every token of one scope is answered. */
export interface FeatureAnswer {
  /** Weak, as it stands for the packed and the plain body alike. */
  readonly etag: string;
  readonly body: Buffer;
  /** The body packed; undefined where that gains nothing. Packed when first asked for. */
  packed(): Promise<Buffer> | undefined;
}

/** One prepared answer for each scope, made anew when flags have changed. */
export class FeatureAnswers {
  readonly #snapshot: FlagSnapshot;
  readonly #answers = new Map<string, FeatureAnswer & { revision: number }>();

  constructor(snapshot: FlagSnapshot) {
    this.#snapshot = snapshot;
  }

  of({ projects, environment }: TokenScope): FeatureAnswer {
    const { revision } = this.#snapshot;
    const key = `${environment}\n${projects.join('\n')}`;
    const kept = this.#answers.get(key);
    if (kept?.revision === revision) {
      return kept;
    }
    if (this.#answers.size >= MOST_SCOPES) {
      this.#answers.clear();
    }
    const answer = { revision, ...this.#answer(key, projects, environment) };
    this.#answers.set(key, answer);
    return answer;
  }

  #answer(
    key: string,
    projects: readonly string[],
    environment: string,
  ): FeatureAnswer {
    const { revision, lineage } = this.#snapshot;
    const scope = createHash('sha256')
      .update(`${WORDING}\n${lineage}\n${key}`)
      .digest('hex')
      .slice(0, 12);
    const etag = `W/"${scope}:${revision}"`;
    const seen = this.#snapshot
      .flags()
      .filter(
        ({ project }) => projects[0] === '*' || projects.includes(project),
      );
    const query = JSON.stringify({ project: projects, environment });
    const meta = JSON.stringify({ revisionId: revision, etag });
    const body = Buffer.from(
      `{"version":${LIST_VERSION},"features":[${seen
        .map(({ json }) => json)
        .join(',')}],"query":${query},"meta":${meta}}`,
    );
    let packed: Promise<Buffer> | undefined;
    return {
      etag,
      body,
      packed() {
        if (body.length >= SMALLEST_PACKED) {
          packed ??= gzip(body);
        }
        return packed;
      },
    };
  }
}
