import { symlinkSync } from 'node:fs';
import path from 'node:path';
import type { HostileCase } from './HostileCase.ts';
import type { HostileRepository } from './HostileBench.ts';

/** Adds a submodule that git itself would refuse, as an attacker could. */
function addSubmodule(
  repository: HostileRepository,
  {
    name = 'sub',
    at = 'sub',
    url,
  }: { name?: string; at?: string; url: string },
): void {
  repository.write(
    '.gitmodules',
    `[submodule "${name}"]\n\tpath = ${at}\n\turl = ${url}\n`,
  );
  const head = repository.commit();
  if (!at.startsWith('-') && !at.includes('..')) {
    repository.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${head},${at}`,
    );
    repository.git('commit', '-q', '-m', 'submodule');
  }
}

const submodules = { job: { source: { submodules: 'recursive' } } };

/** Attacks through refs, addresses and the content of repositories. */
export const repositoryCases: readonly HostileCase[] = [
  ...[
    '--upload-pack=touch /tmp/pwned',
    '-u./payload',
    '$(touch /tmp/pwned)',
    'main;touch /tmp/pwned',
    '../../../etc/passwd',
    'refs/../../config',
    'a\nb',
    'x'.repeat(2_000),
  ].map((branch, index): HostileCase => ({
    name: `a branch never is an argument or a command ${index}`,
    repository: repository => void repository.commit(),
    job: {
      parameters: [{ name: 'BRANCH', required: true }],
      source: { branchFrom: 'BRANCH' },
    },
    parameters: { BRANCH: branch },
    outcome: /^(?:FAILURE|REFUSED)$/,
  })),
  ...[
    'ext::sh -c touch% /tmp/pwned',
    'file:///etc',
    '-oProxyCommand=touch /tmp/pwned',
    'ssh://-oProxyCommand=touch$IFS/tmp/pwned/x',
    'fd::17',
    'http://127.0.0.1:1/none.git',
  ].map((repository, index): HostileCase => ({
    name: `an address never runs a program or reads a file ${index}`,
    job: { source: { repository, branch: 'main' } },
    outcome: /^(?:FAILURE|REFUSED)$/,
  })),
  ...[
    'ext::sh -c "touch /tmp/pwned"',
    'file:///etc',
    '--upload-pack=touch /tmp/pwned',
    'ssh://-oProxyCommand=touch$IFS/tmp/pwned/x',
    '../../../../../etc',
  ].map((url, index): HostileCase => ({
    name: `a submodule's address never runs a program or reads a file ${index}`,
    ...submodules,
    repository: repository => addSubmodule(repository, { url }),
    outcome: /^FAILURE$/,
  })),
  {
    name: "a submodule's name never leads into hooks",
    ...submodules,
    repository: (repository, { host }) =>
      addSubmodule(repository, { name: '../../hooks', url: `${host}/x` }),
    outcome: /^(?:FAILURE|SUCCESS)$/,
  },
  {
    name: "a submodule's path never leads out of the checkout",
    ...submodules,
    repository: (repository, { host }) =>
      addSubmodule(repository, { at: '../evil', url: `${host}/x` }),
    outcome: /^(?:FAILURE|SUCCESS)$/,
  },
  {
    name: 'hooks and settings in a repository never run',
    repository(repository) {
      for (const folder of ['hooks', '.githooks', '.git-hooks']) {
        repository.write(
          `${folder}/post-checkout`,
          '#!/bin/sh\necho hook-ran; touch /tmp/pwned\n',
        );
      }
      repository.write(
        '.gitconfig',
        '[core]\n\thooksPath = hooks\n\tfsmonitor = touch /tmp/pwned; echo hook-ran\n',
      );
      repository.git('config', 'core.hooksPath', 'hooks');
      repository.commit();
    },
    outcome: /^SUCCESS$/,
    never: /hook-ran/,
  },
  {
    name: 'filters of attributes never run',
    repository(repository) {
      repository.write(
        '.gitattributes',
        '* filter=evil diff=evil merge=evil\n',
      );
      repository.write(
        '.gitconfig',
        '[filter "evil"]\n\tsmudge = touch /tmp/pwned; echo filter-ran\n\tclean = cat\n',
      );
      repository.commit();
    },
    outcome: /^SUCCESS$/,
    never: /filter-ran/,
  },
  {
    name: 'LFS never asks a server that the commit names',
    repository(repository) {
      repository.write(
        '.lfsconfig',
        '[lfs]\n\turl = http://127.0.0.1:9/steal\n',
      );
      repository.write(
        '.gitattributes',
        '*.bin filter=lfs diff=lfs merge=lfs\n',
      );
      repository.write(
        'a.bin',
        `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 3\n`,
      );
      repository.commit();
    },
    job: { source: { lfs: true } },
    outcome: /^FAILURE$/,
    never: /127\.0\.0\.1:9/,
  },
  ...['.git', '.GIT', '..', 'git~1'].map((name, index): HostileCase => ({
    name: `a tree never writes into the folder of git or above ${index}`,
    repository(repository) {
      const hook = repository.blob('#!/bin/sh\ntouch /tmp/pwned\n');
      const inner = repository.run(
        ['mktree'],
        `100755 blob ${hook}\tpost-checkout\n`,
      );
      const file = repository.blob('text\n');
      repository.commitTree([
        { mode: '40000', name, id: inner },
        { mode: '100644', name: 'file', id: file },
      ]);
    },
    // Names that only other systems read as `.git` are harmless here.
    outcome: /^(?:FAILURE|SUCCESS)$/,
  })),
  {
    name: 'a symlinked folder of pipelines reads nothing of the server',
    pipeline: true,
    repository(repository, { scratch }) {
      symlinkSync(scratch, path.join(repository.directory, '.slipway'));
      repository.commit();
    },
    outcome: /^FAILURE$/,
  },
  {
    name: 'a symlinked pipeline shows nothing of the server',
    pipeline: true,
    repository(repository, { scratch }) {
      repository.write('.slipway/x', '');
      symlinkSync(
        path.join(scratch, 'canary'),
        path.join(repository.directory, '.slipway/a.yaml'),
      );
      symlinkSync(
        '/etc/passwd',
        path.join(repository.directory, '.slipway/b.yaml'),
      );
      repository.commit();
    },
    outcome: /^FAILURE$/,
  },
  {
    name: 'endless symlinks never keep artifacts busy',
    repository(repository) {
      symlinkSync('.', path.join(repository.directory, 'loop'));
      symlinkSync('b', path.join(repository.directory, 'a'));
      symlinkSync('a', path.join(repository.directory, 'b'));
      repository.commit();
    },
    job: { artifacts: ['**/*.txt'], junit: ['**/none.xml'] },
    outcome: /^FAILURE$/,
    says: /No test report matches/,
  },
  {
    name: 'a commit message never becomes a command or a line of the server',
    repository(repository) {
      repository.git('add', '-A');
      repository.git(
        'commit',
        '-q',
        '-m',
        '\u001b]0;x\u0007$(touch /tmp/pwned)\n==> Deploy\nFinished: SUCCESS',
      );
    },
    script: 'git log -1 --format=%B; exit 3',
    outcome: /^FAILURE$/,
  },
];
