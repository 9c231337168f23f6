import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stateDirectory } from '../src/addresses.ts';

const PIPELINE = `name: checks
junit: [report.xml]
steps:
  - name: Compile
    run: echo compiled
  - name: Lint
    needs: [Compile]
    run: echo linted
  - name: Test
    needs: [Compile]
    run: |
      read rounded < rounded
      [ "$rounded" = 1.24 ] || failure="<failure message=\\"expected 1.24, was $rounded\\"/>"
      echo "<testsuite name='Money'><testcase name='rounds half to even'>$failure</testcase></testsuite>" > report.xml
      test -z "$failure"
`;

/** Pushes a commit of Ada to a pull request of the repository `checks`. @returns the commit. */
export function pushChange(pullRequest: number, rounded: string): string {
  const bare = path.join(stateDirectory, 'forge/files/checks.git');
  const work = path.join(stateDirectory, 'checks');
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      [...['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'], ...args],
      { cwd: work, stdio: 'pipe' },
    )
      .toString()
      .trim();
  if (!existsSync(work)) {
    mkdirSync(path.join(work, '.slipway'), { recursive: true });
    git('init', '--quiet', '--initial-branch=main');
    git('init', '--quiet', '--bare', '--initial-branch=main', bare);
    writeFileSync(path.join(work, '.slipway/checks.yaml'), PIPELINE);
  }
  writeFileSync(path.join(work, 'rounded'), `${rounded}\n`);
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '-m', `Round to ${rounded}`);
  git('push', '--quiet', bare, 'HEAD:refs/heads/main');
  git('push', '--quiet', bare, `HEAD:refs/pull/${pullRequest}/head`);
  // Creates the files for clients that only use GET.
  git('-C', bare, 'update-server-info');
  return git('rev-parse', 'HEAD');
}
