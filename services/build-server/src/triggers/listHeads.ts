import { GIT, type GitAccess, gitEnvironment } from '../execution/git.ts';
import { isRef } from '../jobs/repository.ts';
import { inScratch, outputOfGit } from './serverGit.ts';

const TIMEOUT_MS = 30_000;
/** A repository may have very many branches, each with a line of its own. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const HEAD = /^([0-9a-f]{40}|[0-9a-f]{64})\t(refs\/heads\/.+)$/;

/**
 * Asks a repository for its branches.
 *
 * @param options.ref - only this one, such as `refs/heads/main`.
 * @returns their commits, by ref.
 */
export async function listHeads(
  access: GitAccess,
  { path, signal, ref }: { path: string; signal: AbortSignal; ref?: string },
): Promise<Map<string, string>> {
  const argv = [...GIT, 'ls-remote', '--heads', '--', access.repository];
  const told = await inScratch(scratch =>
    outputOfGit(ref === undefined ? argv : [...argv, ref], {
      // Not inside of a repository, whose configuration would apply.
      ...{ cwd: '/', scratch, maxBytes: MAX_ANSWER_BYTES },
      environment: {
        PATH: path,
        ...gitEnvironment(access, { withCredentials: true }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }),
  );
  return new Map(
    told.split('\n').flatMap(line => {
      const [, commit, head = ''] = HEAD.exec(line) ?? [];
      return isRef(head) ? [[head, commit]] : [];
    }),
  );
}
