import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isRef } from '../execution/checkOut.ts';
import { GIT, type GitAccess, gitEnvironment } from '../execution/git.ts';

const TIMEOUT_MS = 30_000;
/** A repository may have very many branches, each with a line of its own. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const HEAD = /^([0-9a-f]{40}|[0-9a-f]{64})\t(refs\/heads\/.+)$/;

/** Asks a repository for its branches. @returns their commits, by ref. */
export async function listHeads(
  access: GitAccess,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<Map<string, string>> {
  const [program, ...settings] = GIT;
  const { stdout } = await promisify(execFile)(
    program,
    [...settings, 'ls-remote', '--heads', '--', access.repository],
    {
      // Not inside of a repository, whose configuration would apply.
      cwd: '/',
      env: { PATH: path, ...gitEnvironment(access, { withCredentials: true }) },
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_ANSWER_BYTES,
      signal,
    },
  );
  return new Map(
    stdout.split('\n').flatMap(line => {
      const [, commit, ref = ''] = HEAD.exec(line) ?? [];
      return isRef(ref) ? [[ref, commit]] : [];
    }),
  );
}
