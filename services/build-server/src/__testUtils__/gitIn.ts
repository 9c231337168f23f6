import { execFileSync } from 'node:child_process';

/**
 * Runs git in a folder, with Ada as the author of commits. Automatic maintenance is off, because its
 * processes would run after each commit and fetch for nothing.
 *
 * @returns the trimmed output.
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
