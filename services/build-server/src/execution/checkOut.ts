import type { BuildSource } from '../builds/Build.ts';
import { refOfBranch } from '../jobs/Job.ts';
import {
  addressAt,
  isCommit,
  isRef,
  repositoryName,
} from '../jobs/repository.ts';
import type { Output } from './commands.ts';
import {
  ask,
  CheckoutError,
  FETCH,
  git,
  type GitRequest,
  runGit,
  tryGit,
} from './git.ts';

const BRANCH_OR_TAG = /^refs\/(?:heads|tags)\//;

/** The repository and the revision to check out. */
export interface CheckoutRequest extends GitRequest {
  submodules?: 'direct' | 'recursive';
  /** True to fetch the files stored in Git LFS. */
  lfs?: boolean;
  /** Folders to check out; all by default. */
  sparse?: readonly string[];
  /** The number of commits to fetch, if they are enough; 0 for the whole history. */
  depth: number;
  /** The branch to build if nothing was pushed; the repository's default branch by default. */
  branch?: string;
  /** The pushed revision, as given by the sender. */
  pushed: BuildSource | null;
}

/**
 * Checks out the repository of a job at the pushed commit, else at the tip of its branch.
 * The sender determines only the commit and ref, never the address, except that the API of a forge
 * may name a fork at the same host. The commit has to be on the ref, since forges also serve the
 * commits of forks.
 *
 * @returns the revision that was checked out.
 * @throws CheckoutError
 */
export async function checkOut(given: CheckoutRequest): Promise<BuildSource> {
  const { pushed, branch } = given;
  const commit = commitOf(pushed);
  const { request, asked } = placeOf(given);
  const { repository } = request;
  await git(request, ['init', '--quiet', '--template=', '.']);
  const ref = refOf(asked, branch) ?? (await defaultBranch(request));
  await fetchTip(request, ref);
  if (commit !== undefined && !(await isOnFetched(request, { ref, commit }))) {
    const where = ref === 'HEAD' ? 'the default branch' : ref;
    throw new CheckoutError(
      `${commit} is not on ${where}: it belongs to another ref or repository, or ${where} has been rewritten`,
    );
  }
  if (request.sparse) {
    await git(request, [
      ...['sparse-checkout', 'set', '--cone'],
      ...request.sparse,
    ]);
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
  await fetchParts(request);
  const [after, author, email, message] = (
    await ask(request, ['log', '-1', '--format=%H%x00%an%x00%ae%x00%B'])
  ).split('\0');
  return {
    ...pushed,
    after,
    ref: pushed?.ref ?? (ref === 'HEAD' ? undefined : ref),
    repository: pushed?.repository ?? repositoryName(repository),
    commits:
      pushed && pushed.commits.length > 0
        ? pushed.commits
        : [{ id: after, author, email, message: message.trim() }],
  };
}

/** Returns where the pushed revision is: in a fork, it is on the branch of the pull request. */
function placeOf(request: CheckoutRequest): {
  request: CheckoutRequest;
  asked: BuildSource | null;
} {
  const { pushed, repository } = request;
  const { fork, branch } = pushed?.pullRequest ?? {};
  return pushed === null || fork === undefined
    ? { request, asked: pushed }
    : {
        request: { ...request, repository: addressAt(repository, fork) },
        asked: { ...pushed, ref: `refs/heads/${branch ?? ''}` },
      };
}

/** @throws CheckoutError if the sender's revision is not a commit id. */
function commitOf(pushed: BuildSource | null): string | undefined {
  const after = pushed?.after;
  if (after !== undefined && !isCommit(after)) {
    throw new CheckoutError(`'${excerpt(after)}' is not a commit id`);
  }
  return after;
}

/** Returns the ref to build; undefined if neither the trigger nor the job names one. */
function refOf(
  pushed: BuildSource | null,
  branch: string | undefined,
): string | undefined {
  if (pushed?.ref !== undefined) {
    if (!isRef(pushed.ref)) {
      throw new CheckoutError(
        `'${excerpt(pushed.ref)}' is not the ref of a branch or tag`,
      );
    }
    return pushed.ref;
  }
  if (branch === undefined) {
    return undefined;
  }
  const ref = refOfBranch(branch);
  if (!isRef(ref) || !BRANCH_OR_TAG.test(ref)) {
    throw new CheckoutError(`'${excerpt(branch)}' is not a branch name`);
  }
  return ref;
}

/**
 * Queries the default branch of the repository.
 *
 * @returns `HEAD` if the repository does not report it.
 */
async function defaultBranch(request: CheckoutRequest): Promise<string> {
  const { repository } = request;
  const told = await ask(request, [
    ...['ls-remote', '--symref', '--', repository, 'HEAD'],
  ]).catch(() => '');
  const [, ref = 'HEAD'] = /^ref: (refs\/heads\/\S+)\tHEAD$/m.exec(told) ?? [];
  return isRef(ref) ? ref : 'HEAD';
}

function excerpt(text: string): string {
  return text.slice(0, 100);
}

const SHALLOW = '--is-shallow-repository';

/**
 * Depths to try in turn if the tip is newer than the commit; after them, the whole history is
 * fetched.
 */
const DEPTHS = [50, 500];

/** Fetches a ref with the requested depth of history. */
async function fetchTip(request: CheckoutRequest, ref: string): Promise<void> {
  const { depth, repository } = request;
  if (depth === 0) {
    await git(request, [...FETCH, '--', repository, ref]);
    return;
  }
  const { failure, said } = await tryGit(request, [
    ...[...FETCH, `--depth=${depth}`, '--', repository, ref],
  ]);
  // A plain web server does not support shallow fetches.
  if (failure !== null && said.includes('does not support shallow')) {
    await git(request, [...FETCH, '--', repository, ref]);
  } else if (failure !== null) {
    throw new CheckoutError(`git fetch: ${failure}`);
  }
}

/**
 * Checks whether a commit is in the history of the fetched ref, fetching more history if
 * it is not the tip.
 */
async function isOnFetched(
  request: CheckoutRequest,
  { ref, commit }: { ref: string; commit: string },
): Promise<boolean> {
  const tips = await ask(request, [
    ...['rev-parse', 'FETCH_HEAD', 'FETCH_HEAD^{commit}'],
    SHALLOW,
  ]);
  const [tag, tip, isShallow] = tips.split('\n');
  if (commit === tag || commit === tip) {
    return true;
  }
  const deeper = DEPTHS.filter(depth => depth > request.depth);
  const more = [...deeper.map(depth => `--depth=${depth}`), '--unshallow'];
  for (const option of isShallow === 'true' ? more : []) {
    await git(request, [...FETCH, option, '--', request.repository, ref]);
    if (await isAncestor(request, commit)) {
      return true;
    }
    if ((await ask(request, ['rev-parse', SHALLOW])).trim() === 'false') {
      return false;
    }
  }
  return isAncestor(request, commit);
}

async function isAncestor(
  request: CheckoutRequest,
  commit: string,
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', commit, 'FETCH_HEAD'];
  return (await runGit(request, args, async () => {})) === null;
}

/** Fetches the submodules and LFS files of the commit. @throws CheckoutError */
async function fetchParts(request: CheckoutRequest): Promise<void> {
  const { submodules, lfs, repository, depth } = request;
  if (submodules) {
    await git(request, [
      // Addresses may be relative to that of the repository.
      ...['config', 'remote.origin.url', repository],
    ]);
    await git(request, [
      ...['submodule', '--quiet', 'update', '--init'],
      ...(depth === 0 ? [] : [`--depth=${depth}`]),
      ...(submodules === 'recursive' ? ['--recursive'] : []),
    ]);
  }
  if (lfs) {
    const silent: Output = async () => {};
    if ((await runGit(request, ['lfs', 'version'], silent)) !== null) {
      throw new CheckoutError('Git LFS is not installed where the build runs');
    }
    // A commit can name another LFS server, which is ignored. Over ssh, forges report the address
    // of theirs.
    const server = repository.startsWith('ssh:')
      ? repository
      : `${repository.replace(/\/$/, '')}/info/lfs`;
    const run = (...args: string[]) =>
      git(request, ['-c', `lfs.url=${server}`, 'lfs', ...args]);
    // Git ignores the system's configuration here. Without the filters of LFS in its configuration,
    // `pull` silently replaces no file.
    await run('install', '--local', '--skip-repo');
    await run('pull', repository);
  }
}
