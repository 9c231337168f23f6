import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { LIST_VERSION } from '../model/Flag.ts';
import type { TokenScope } from '../model/ApiToken.ts';
import type { FlagSnapshot } from './FlagSnapshot.ts';

const gzip = promisify(gzipCallback);

/** Raised when the same flags are worded otherwise, so that SDKs read them anew. */
const WORDING = 1;
/** Below it, packing gains nothing. */
const SMALLEST_PACKED = 1_024;
/** Answers kept at most: there are few scopes of tokens, and as few things that SDKs ask for. */
const MOST_ANSWERS = 200;

/** The part of its token's flags that an SDK asks for. */
export interface FeatureFilter {
  /** Names of projects. */
  readonly project?: readonly string[];
  readonly namePrefix?: string;
}

/** The answer for every token of one scope. */
export interface FeatureAnswer {
  /** Weak, as it stands for the packed and the plain body alike. */
  readonly etag: string;
  readonly body: Buffer;
  /** The body packed; undefined where that gains nothing. Packed when first asked for. */
  packed(): Promise<Buffer> | undefined;
}

interface KeptAnswer extends FeatureAnswer {
  readonly revision: number;
}

/** One prepared answer for each scope and filter, made anew when flags have changed. */
export class FeatureAnswers {
  readonly #snapshot: FlagSnapshot;
  readonly #answers = new Map<string, KeptAnswer>();
  /** The answers for tokens whose SDKs want all that these show, as nearly all do. */
  readonly #whole = new WeakMap<TokenScope, KeptAnswer>();

  constructor(snapshot: FlagSnapshot) {
    this.#snapshot = snapshot;
  }

  of(scope: TokenScope, filter: FeatureFilter = {}): FeatureAnswer {
    if (filter.project?.length || filter.namePrefix) {
      return this.#find(scope, filter);
    }
    const kept = this.#whole.get(scope);
    if (kept?.revision === this.#snapshot.revision) {
      return kept;
    }
    const answer = this.#find(scope, filter);
    this.#whole.set(scope, answer);
    return answer;
  }

  #find(scope: TokenScope, filter: FeatureFilter): KeptAnswer {
    const { revision } = this.#snapshot;
    const query = queryOf(scope, filter);
    const key = JSON.stringify(query);
    const kept = this.#answers.get(key);
    if (kept?.revision === revision) {
      return kept;
    }
    if (this.#answers.size >= MOST_ANSWERS) {
      this.#answers.clear();
    }
    const answer = { revision, ...this.#answer(query, key) };
    this.#answers.set(key, answer);
    return answer;
  }

  #answer(query: Query, key: string): FeatureAnswer {
    const { revision, lineage } = this.#snapshot;
    const scope = createHash('sha256')
      .update(`${WORDING}\n${lineage}\n${key}`)
      .digest('hex')
      .slice(0, 12);
    const etag = `W/"${scope}:${revision}"`;
    const { project: projects, namePrefix = '' } = query;
    const seen = this.#snapshot
      .flags()
      .filter(
        ({ name, project }) =>
          (projects[0] === '*' || projects.includes(project)) &&
          name.startsWith(namePrefix),
      );
    const meta = JSON.stringify({ revisionId: revision, etag });
    const body = Buffer.from(
      `{"version":${LIST_VERSION},"features":[${seen
        .map(({ json }) => json)
        .join(',')}],"query":${key},"meta":${meta}}`,
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

/** The filter that an answer says it was made with. */
interface Query {
  readonly project: readonly string[];
  readonly environment: string;
  readonly namePrefix?: string;
}

/** A filter narrows what a token shows, and never widens it. */
function queryOf(
  { projects, environment }: TokenScope,
  { project: asked = [], namePrefix }: FeatureFilter,
): Query {
  const wanted = [...new Set(asked)].filter(name => name !== '').sort();
  const isAll = wanted.length === 0 || wanted.includes('*');
  const shown =
    projects[0] === '*'
      ? wanted
      : projects.filter(name => wanted.includes(name));
  return {
    project: isAll ? projects : shown,
    environment,
    ...(namePrefix && { namePrefix }),
  };
}
