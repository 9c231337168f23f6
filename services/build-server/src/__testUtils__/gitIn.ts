import { execFileSync } from 'node:child_process';

/**
 * Runs git in a folder, with Ada as the author of commits, and without the processes that look after
 * each commit and fetch whether a repository needs maintenance.
 *
 * @returns its output, without the white space around it.
 */
export function gitIn(folder: string, ...args: string[]): string {
  return execFileSync(
    'git',
    [
      ...['-c', 'user.name=Ada', '-c', 'user.email=a@b'],
      ...['-c', 'maintenance.auto=false'],
      ...args,
    ],
    { cwd: folder, stdio: 'pipe' },
  )
    .toString()
    .trim();
}
