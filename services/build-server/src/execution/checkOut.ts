import type { BuildSource } from '../builds/Build.ts';
import type { Output } from './commands.ts';
import type { LocalPlace } from './local/LocalExecutor.ts';

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const REF = /^refs\/(?:heads|tags)\/[\w.+@-][\w.+@/-]*$/;

/** A message of a commit may be of any length, and is kept with the build. */
const MAX_ANSWER_BYTES = 16_384;

/** What to build of which repository. */
export interface CheckoutRequest {
  place: LocalPlace;
  repository: string;
  /** The branch to build where nothing was pushed; the repository's own default when left out. */
  branch?: string;
  /** What was pushed, as its sender says. */
  pushed: BuildSource | null;
  /** Protocols that git may speak. */
  protocols: readonly string[];
  caFile?: string;
  signal: AbortSignal;
  output: Output;
}

/** A checkout that did not work; the message is the end of a sentence. */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError';
}

/** A commit that git may be given as an argument. */
function isCommit(text: string | undefined): text is string {
  return text !== undefined && SHA.test(text);
}

/** A branch or tag that git may be given as an argument. */
function isRef(text: string | undefined): text is string {
  return (
    text !== undefined &&
    REF.test(text) &&
    !/\.\.|\/\/|@\{|\/$|\.lock$/.test(text)
  );
}

/**
 * Checks the repository of a job out at the commit that was pushed, else at the tip of
 * its branch. Only the commit and ref come from the sender, never the address; and the
 * commit has to be on the ref, as forges hand out the commits of forks as well.
 *
 * @returns what was checked out.
 * @throws CheckoutError
 */
export async function checkOut(request: CheckoutRequest): Promise<BuildSource> {
  const { pushed, repository, branch } = request;
  const commit = commitOf(pushed);
  const ref = refOf(pushed, branch);
  await git(request, ['init', '--quiet', '--template=', '.']);
  await git(request, [
    ...['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--'],
    ...[repository, ref],
  ]);
  if (commit !== undefined && !(await isOnFetched(request, commit))) {
    const where = ref === 'HEAD' ? 'the default branch' : ref;
    throw new CheckoutError(
      `${commit} is not on ${where}: it belongs to another ref or repository, or ${where} has been rewritten`,
    );
  }
  await git(request, [
    '-c',
    'advice.detachedHead=false',
    'checkout',
    '--quiet',
    '--detach',
    commit ?? 'FETCH_HEAD',
    '--',
  ]);
  const [after, author, message] = (
    await ask(request, ['log', '-1', '--format=%H%x00%an%x00%B'])
  ).split('\0');
  return {
    ...pushed,
    after,
    ref: pushed?.ref ?? (ref === 'HEAD' ? undefined : ref),
    repository: pushed?.repository ?? repositoryName(repository),
    commits:
      pushed && pushed.commits.length > 0
        ? pushed.commits
        : [{ id: after, author, message: message.trim() }],
  };
}

/** The path of an address, as forges name repositories: `shop/payments-api`. */
export function repositoryName(address: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname : address;
  const names = path.split('/').filter(Boolean);
  return names.join('/').replace(/\.git$/, '');
}

/** @throws CheckoutError where the sender names something else than a commit. */
function commitOf(pushed: BuildSource | null): string | undefined {
  const after = pushed?.after;
  if (after !== undefined && !isCommit(after)) {
    throw new CheckoutError(`'${excerpt(after)}' is not a commit id`);
  }
  return after;
}

function refOf(pushed: BuildSource | null, branch: string | undefined): string {
  if (pushed?.ref !== undefined) {
    if (!isRef(pushed.ref)) {
      throw new CheckoutError(
        `'${excerpt(pushed.ref)}' is not the ref of a branch or tag`,
      );
    }
    return pushed.ref;
  }
  if (branch === undefined) {
    return 'HEAD';
  }
  const ref = branch.startsWith('refs/') ? branch : `refs/heads/${branch}`;
  if (!isRef(ref)) {
    throw new CheckoutError(`'${excerpt(branch)}' is not a branch name`);
  }
  return ref;
}

function excerpt(text: string): string {
  return text.slice(0, 100);
}

/** Tells whether a commit is in the history of the ref that was fetched. */
async function isOnFetched(
  request: CheckoutRequest,
  commit: string,
): Promise<boolean> {
  const failure = await run(
    request,
    ['merge-base', '--is-ancestor', commit, 'FETCH_HEAD'],
    async () => {},
  );
  return failure === null;
}

async function git(request: CheckoutRequest, args: string[]): Promise<void> {
  const failure = await run(request, args, request.output);
  if (failure !== null) {
    const [verb] = args.filter(arg => /^[a-z]+$/.test(arg));
    throw new CheckoutError(`git ${verb}: ${failure}`);
  }
}

/** What git answers, cut after {@link MAX_ANSWER_BYTES}; its warnings are no part of it. */
async function ask(request: CheckoutRequest, args: string[]): Promise<string> {
  const parts: Buffer[] = [];
  let free = MAX_ANSWER_BYTES;
  const failure = await run(request, args, async (chunk, stream) => {
    if (stream === 'stdout' && free > 0) {
      parts.push(chunk.subarray(0, free));
      free -= chunk.length;
    }
  });
  if (failure !== null) {
    throw new CheckoutError(failure);
  }
  return Buffer.concat(parts).toString('utf8');
}

function run(
  { place, protocols, caFile, signal }: CheckoutRequest,
  args: string[],
  output: Output,
): Promise<string | null> {
  return place.run({
    argv: ['git', '-c', 'core.hooksPath=/dev/null', ...args],
    // No prompt, nobody's configuration, no protocol that runs programs.
    environment: {
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ALLOW_PROTOCOL: protocols.join(':'),
      ...(caFile && { GIT_SSL_CAINFO: caFile }),
    },
    signal,
    output,
  });
}
