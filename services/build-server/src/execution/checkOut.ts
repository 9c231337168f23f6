import type { BuildSource } from '../builds/Build.ts';
import { type GitCredentials, repositoryName } from '../jobs/repository.ts';
import type { Output } from './commands.ts';
import type { LocalPlace } from './local/LocalExecutor.ts';

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Branches and tags, and where forges keep the heads of pull and merge requests. */
const REF =
  /^refs\/(?:heads|tags|pull|merge-requests|pull-requests)\/[^\p{Cc} ~^:?*[\\]+$/u;
const BRANCH_OR_TAG = /^refs\/(?:heads|tags)\//;
/** What `git check-ref-format` refuses beside single characters. */
const NO_REF = /\.\.|@\{|\/\/|\/\.|[./]$|\.lock(?:\/|$)/;
const MAX_REF = 500;

/** A message of a commit may be of any length, and is kept with the build. */
const MAX_ANSWER_BYTES = 16_384;

/** What to build of which repository. */
export interface CheckoutRequest {
  place: LocalPlace;
  /** Its address, without a password. */
  repository: string;
  /** Credentials that are sent only to the host of the repository. */
  credentials?: GitCredentials;
  /** How many commits of the history are fetched where they are enough; 0 for all. */
  depth: number;
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

/** A ref that git may be given as an argument. */
function isRef(text: string): boolean {
  return text.length <= MAX_REF && REF.test(text) && !NO_REF.test(text);
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
  await fetchTip(request, ref);
  if (commit !== undefined && !(await isOnFetched(request, { ref, commit }))) {
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
  if (!isRef(ref) || !BRANCH_OR_TAG.test(ref)) {
    throw new CheckoutError(`'${excerpt(branch)}' is not a branch name`);
  }
  return ref;
}

function excerpt(text: string): string {
  return text.slice(0, 100);
}

const FETCH = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules'];

/** Fetches a ref with as much of its history as is asked for. */
async function fetchTip(request: CheckoutRequest, ref: string): Promise<void> {
  const { depth, repository, output } = request;
  if (depth === 0) {
    await git(request, [...FETCH, '--', repository, ref]);
    return;
  }
  let said = '';
  const failure = await run(
    request,
    [...FETCH, `--depth=${depth}`, '--', repository, ref],
    async (chunk, stream) => {
      said = (said + chunk.toString('latin1')).slice(-MAX_ANSWER_BYTES);
      await output(chunk, stream);
    },
  );
  // A plain web server hands out the whole history or nothing.
  if (failure !== null && said.includes('does not support shallow')) {
    await git(request, [...FETCH, '--', repository, ref]);
  } else if (failure !== null) {
    throw new CheckoutError(`git fetch: ${failure}`);
  }
}

/** Tells whether a commit is in the history of the ref that was fetched, of which more is fetched where it is not the tip. */
async function isOnFetched(
  request: CheckoutRequest,
  { ref, commit }: { ref: string; commit: string },
): Promise<boolean> {
  const tips = await ask(request, [
    ...['rev-parse', 'FETCH_HEAD', 'FETCH_HEAD^{commit}'],
    '--is-shallow-repository',
  ]);
  const [tag, tip, isShallow] = tips.split('\n');
  if (commit === tag || commit === tip) {
    return true;
  }
  if (isShallow === 'true') {
    await git(request, [
      ...[...FETCH, '--unshallow', '--'],
      ...[request.repository, ref],
    ]);
  }
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
  request: CheckoutRequest,
  args: string[],
  output: Output,
): Promise<string | null> {
  const { place, protocols, caFile, signal } = request;
  return place.run({
    argv: ['git', '-c', 'core.hooksPath=/dev/null', ...args],
    // No prompt, nobody's configuration, no protocol that runs programs.
    environment: {
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ALLOW_PROTOCOL: protocols.join(':'),
      ...(caFile && { GIT_SSL_CAINFO: caFile }),
      ...(args[0] === 'fetch' && credentialEnvironment(request)),
    },
    signal,
    output,
  });
}

/**
 * Tells git a user name and a password in its own environment alone: arguments are seen by
 * every process, and `.git/config` by the steps.
 */
function credentialEnvironment({
  repository,
  credentials,
}: CheckoutRequest): Record<string, string> {
  if (!credentials || !URL.canParse(repository)) {
    return {};
  }
  const { protocol, host } = new URL(repository);
  const helper =
    '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$SLIPWAY_GIT_USERNAME" "$SLIPWAY_GIT_PASSWORD"; }; f';
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `credential.${protocol}//${host}.helper`,
    GIT_CONFIG_VALUE_0: helper,
    SLIPWAY_GIT_USERNAME: credentials.username,
    SLIPWAY_GIT_PASSWORD: credentials.password,
  };
}
