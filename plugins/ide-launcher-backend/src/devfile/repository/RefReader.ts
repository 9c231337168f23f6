import { addAbortSignal, Readable } from 'node:stream';
import { AddressRules } from '@slipway/platform-guards';
import { AnsweredError, DevfileFetch, hostNotAllowed } from '../DevfileReader';

/** The branches and tags of a repository, with their commits. */
export interface RepositoryRefs {
  /** Undefined if the server does not report it. */
  defaultBranch: string | undefined;
  branches: ReadonlyMap<string, string>;
  tags: ReadonlyMap<string, string>;
  /** False if the list was truncated because it is too long. */
  isComplete: boolean;
}

/** Path and query of git's ref discovery, the first request of every clone. */
const DISCOVERY = '/info/refs?service=git-upload-pack';

/** Maximum bytes read of a list of refs: enough for about 50,000 refs. Branches come first. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Statuses with which servers respond for missing and private repositories. */
const UNREADABLE: ReadonlySet<number> = new Set([401, 403, 404]);

/** Reads the branches and tags of a repository like git, without credentials, under the devfiles' rules. */
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
  // The last line may be incomplete.
  const end = isComplete ? undefined : text.lastIndexOf('\n') + 1;
  return { text: text.slice(0, end), isComplete };
}

/** Matches the first line of git's smart protocol, or of a file server's plain list of refs. */
const FIRST_LINE =
  /^(?:[0-9a-f]{4}# service=git-upload-pack\n|[0-9a-f]{40,64}\t)/;

/**
 * Matches a line with a commit and its branch or tag. In git's smart protocol, the line is preceded by
 * its length, and the first one also by the flush packet that ends the previous section.
 */
const REF =
  /^(?:[0-9a-f]{4}){0,2}([0-9a-f]{40}|[0-9a-f]{64})[ \t]refs\/(heads|tags)\/([^\n\0]+)/gm;

/** Matches the branch of HEAD in the list of the server's capabilities. */
const DEFAULT_BRANCH = /[ \0]symref=HEAD:refs\/heads\/([^ \n]+)/;

/** Parses a server's list of refs; undefined if the response is something else. */
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
      // For an annotated tag, a second line `<tag>^{}` has the commit.
      tags.set(name.replace(/\^\{\}$/, ''), commit);
    }
  }
  const defaultBranch = DEFAULT_BRANCH.exec(text)?.[1];
  return { defaultBranch, branches, tags, isComplete };
}
