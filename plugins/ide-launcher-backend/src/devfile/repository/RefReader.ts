import { addAbortSignal, Readable } from 'node:stream';
import { AddressRules } from '@slipway/platform-guards';
import { AnsweredError, DevfileFetch, hostNotAllowed } from '../DevfileReader';

/** The branches and tags of a repository, with their commits. */
export interface RepositoryRefs {
  /** Undefined if the server does not tell. */
  defaultBranch: string | undefined;
  branches: ReadonlyMap<string, string>;
  tags: ReadonlyMap<string, string>;
  /** False if there are too many to be read. */
  isComplete: boolean;
}

/** The request with which every clone begins. */
const DISCOVERY = '/info/refs?service=git-upload-pack';

/** Enough for 50,000 refs; branches come first. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Statuses of servers for repositories that are missing or private. */
const UNREADABLE: ReadonlySet<number> = new Set([401, 403, 404]);

/** Reads branches and tags like git, without credentials and under the address rules of devfiles. */
export class RefReader {
  readonly #rules: AddressRules;
  readonly #fetch: DevfileFetch;

  constructor(options: { rules: AddressRules; fetch: DevfileFetch }) {
    this.#rules = options.rules;
    this.#fetch = options.fetch;
  }

  async read(
    remote: URL,
    signal: AbortSignal,
  ): Promise<RepositoryRefs | undefined> {
    if (this.#rules.judge(remote) === 'refused') {
      throw hostNotAllowed(remote);
    }
    try {
      const { body } = await this.#fetch.get(
        new URL(remote.href + DISCOVERY),
        signal,
      );
      return parseRefs(await readStart(body, signal));
    } catch (error) {
      if (error instanceof AnsweredError && UNREADABLE.has(error.answered)) {
        return undefined;
      }
      throw error;
    }
  }
}

async function readStart(
  stream: Readable,
  signal: AbortSignal,
): Promise<{ text: string; isComplete: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isComplete = true;
  // Leaving the loop destroys the stream.
  for await (const chunk of addAbortSignal(signal, stream)) {
    chunks.push(Buffer.from(chunk));
    size += chunks.at(-1)?.length ?? 0;
    if (size > MAX_BYTES) {
      isComplete = false;
      break;
    }
  }
  const text = Buffer.concat(chunks).toString('utf8');
  // The last line may be the start of another branch.
  const end = isComplete ? undefined : text.lastIndexOf('\n') + 1;
  return { text: text.slice(0, end), isComplete };
}

/** The first line of git's protocol, after its length, or of a plain file server. */
const FIRST_LINE =
  /^(?:[0-9a-f]{4}# service=git-upload-pack\n|[0-9a-f]{40,64}\t)/;

/**
 * A line with a branch or tag, and its commit. In git's protocol, the length of the line stands before
 * it, and before that of the first one the end of the section above.
 */
const REF =
  /^(?:[0-9a-f]{4}){0,2}([0-9a-f]{40}|[0-9a-f]{64})[ \t]refs\/(heads|tags)\/([^\n\0]+)/gm;

/** The branch of HEAD, among the capabilities of the server. */
const DEFAULT_BRANCH = /[ \0]symref=HEAD:refs\/heads\/([^ \n]+)/;

/** Parses a server's list of refs; undefined if it is something else. */
function parseRefs(answer: {
  text: string;
  isComplete: boolean;
}): RepositoryRefs | undefined {
  const { text, isComplete } = answer;
  if (!FIRST_LINE.test(text)) {
    return undefined;
  }
  const branches = new Map<string, string>();
  const tags = new Map<string, string>();
  for (const [, commit, kind, name] of text.matchAll(REF)) {
    if (kind === 'heads') {
      branches.set(name, commit);
    } else {
      // The commit of an annotated tag follows the tag itself.
      tags.set(name.replace(/\^\{\}$/, ''), commit);
    }
  }
  const defaultBranch = DEFAULT_BRANCH.exec(text)?.[1];
  return { defaultBranch, branches, tags, isComplete };
}
