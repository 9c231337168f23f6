import type { BuildSource } from '../builds/Build.ts';
import { globsMatchingAny } from '../jobs/globs.ts';
import { isCommit, isRef } from '../jobs/repository.ts';
import {
  ask,
  CheckoutError,
  FETCH,
  git,
  type GitRequest,
  runGit,
} from './git.ts';
import type { PlacedBuild } from './PlacedBuild.ts';

/** Maximum size of the list of changed files, in bytes; beyond it, all files count as changed. */
const MAX_NAMES_BYTES = 4 * 1024 * 1024;
const ZEROS = /^0+$/;
/** Fetch depths to try in turn until the merge base is available. */
const DEPTHS = ['--depth=50', '--depth=500', '--unshallow'];

/**
 * Finds which globs match files that the commits of a build changed: since the commit before the
 * push, or since the merge base of the pull request. Fetches missing history, because a checkout
 * has one commit by default, and logs what was compared.
 *
 * @returns undefined if the changes are unknown, as for a new branch, for a build that a person or
 * a schedule started, and for commits found by polling.
 */
export async function changedGlobs(
  placed: PlacedBuild,
  globs: readonly string[],
  signal: AbortSignal,
): Promise<Set<string> | undefined> {
  const { log } = placed;
  try {
    const { request, base } = await baseOf(placed, signal);
    const files = await namesSince(request, base);
    await log.note(`==> ${files.length} files changed since ${base}`);
    const found = await globsMatchingAny({ files, globs, signal });
    if (!found) {
      throw new CheckoutError('there are too many to compare with all globs');
    }
    return found;
  } catch (error) {
    if (!(error instanceof CheckoutError)) {
      throw error;
    }
    await log.note(`==> All files count as changed: ${error.message}`);
    return undefined;
  }
}

/** Returns the commit to compare the checked-out commit with. */
async function baseOf(
  { job, build, place, secrets, git: options, progress }: PlacedBuild,
  signal: AbortSignal,
): Promise<{ request: GitRequest; base: string }> {
  const { source } = job;
  const built = progress.source;
  if (!source || !built) {
    throw new CheckoutError('the job has no repository');
  }
  const request: GitRequest = {
    ...options,
    ...secrets.checkoutOf(source),
    ...{ place, signal, output: async () => {} },
    knownHosts: source.credentials?.knownHosts,
    isFork: build.source?.pullRequest?.isFork ?? false,
  };
  const base = built.pullRequest
    ? await mergeBase(request, built)
    : await commitBefore(request, built);
  return { request, base };
}

/** Fetches the commit that the branch had before the push. */
async function commitBefore(
  request: GitRequest,
  { before }: BuildSource,
): Promise<string> {
  if (!isCommit(before) || ZEROS.test(before)) {
    throw new CheckoutError('the previous commit of the branch is unknown');
  }
  const has = ['cat-file', '-e', `${before}^{commit}`];
  if ((await runGit(request, has, request.output)) !== null) {
    await git(request, [
      ...[...FETCH, '--depth=1', '--', request.repository, before],
    ]);
  }
  return before;
}

/** Fetches the history of a pull request and of its base until they meet. */
async function mergeBase(
  request: GitRequest,
  { ref = '', pullRequest }: BuildSource,
): Promise<string> {
  const base = `refs/heads/${pullRequest?.base ?? ''}`;
  if (!isRef(ref) || !isRef(base) || pullRequest?.fork !== undefined) {
    throw new CheckoutError('the merge base of the pull request is unknown');
  }
  const shallow = await ask(request, ['rev-parse', '--is-shallow-repository']);
  for (const depth of shallow.trim() === 'true' ? DEPTHS : []) {
    // Fails for the last of them if there is no further history.
    await runGit(
      request,
      [...FETCH, depth, '--', request.repository, base, ref],
      request.output,
    );
    const found = await mergeBaseNow(request);
    if (found !== undefined) {
      return found;
    }
  }
  await git(request, [...FETCH, '--', request.repository, base]);
  const found = await mergeBaseNow(request);
  if (found !== undefined) {
    return found;
  }
  throw new CheckoutError(
    'the pull request and its base have no commit in common',
  );
}

/**
 * Returns the merge base, if it was fetched. The base was fetched first, so FETCH_HEAD refers to
 * it.
 */
async function mergeBaseNow(request: GitRequest): Promise<string | undefined> {
  const found = await ask(request, ['merge-base', 'FETCH_HEAD', 'HEAD']).catch(
    () => '',
  );
  return isCommit(found.trim()) ? found.trim() : undefined;
}

async function namesSince(
  request: GitRequest,
  base: string,
): Promise<string[]> {
  const parts: Buffer[] = [];
  let free = MAX_NAMES_BYTES;
  const failure = await runGit(
    request,
    // Without rename detection, so that the old path of a moved file is listed too.
    [
      ...['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff'],
      base,
      'HEAD',
      '--',
    ],
    async (chunk, stream) => {
      if (stream === 'stdout') {
        free -= chunk.length;
        parts.push(...(free >= 0 ? [chunk] : []));
      }
    },
  );
  if (failure !== null || free < 0) {
    throw new CheckoutError(failure ?? 'too many files changed to list them');
  }
  return Buffer.concat(parts).toString('utf8').split('\0').filter(Boolean);
}
