import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { serveGit } from '../__testUtils__/serveGit.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const git = (cwd: string, ...args: string[]) =>
  gitIn(cwd, '-c', 'protocol.file.allow=always', ...args);

/** Makes a bare repository of files, below a folder. @returns its absolute name. */
async function makeRepository(
  name: string,
  files: Record<string, string>,
): Promise<string> {
  const work = path.join(bench.scratch, `${name}-work`);
  gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', work);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(work, file)), { recursive: true });
    await writeFile(path.join(work, file), text);
  }
  git(work, 'add', '.');
  git(work, 'commit', '--quiet', '-m', 'Begin');
  const bare = path.join(bench.scratch, `${name}.git`);
  git(bench.scratch, 'clone', '--quiet', '--bare', work, bare);
  return bare;
}

/** Adds a submodule to a bare repository. */
function addSubmodule(bare: string, url: string): void {
  const work = `${bare.slice(0, -'.git'.length)}-again`;
  git(bench.scratch, 'clone', '--quiet', bare, work);
  // Relative addresses are looked up from here first.
  git(work, 'submodule', '--quiet', 'add', url, 'lib');
  git(work, 'commit', '--quiet', '-m', 'Add lib');
  git(work, 'push', '--quiet', 'origin', 'main');
}

it('fetches submodules if the job is configured so', async () => {
  const inner = await makeRepository('inner', { deep: 'deep' });
  const lib = await makeRepository('lib', { 'lib.txt': 'of lib' });
  addSubmodule(lib, `file://${inner}`);
  const shop = await makeRepository('shop', { file: 'of shop' });
  addSubmodule(shop, '../lib.git');
  const run = 'cat lib/lib.txt lib/lib/deep 2>&1 || true';
  const source = { repository: `file://${shop}` };
  const client = await bench.start([
    jobOf(run, { name: 'without', source }),
    jobOf(run, { name: 'direct', source: { ...source, submodules: 'direct' } }),
    jobOf(run, {
      name: 'all',
      source: { ...source, submodules: 'recursive' },
    }),
  ]);
  for (const name of ['without', 'direct', 'all']) {
    expect(await client.build(name)).toMatchObject({ result: 'SUCCESS' });
  }
  expect(await client.log('/job/without/1/')).not.toContain('of lib');
  const direct = await client.log('/job/direct/1/');
  expect(direct).toContain('of lib');
  expect(direct).toContain('lib/lib/deep: No such file');
  expect(await client.log('/job/all/1/')).toContain('of libdeep');
});

it('rejects submodules that run programs or use another protocol', async () => {
  const shop = await makeRepository('shop', { file: '' });
  const lib = await makeRepository('lib', { 'lib.txt': 'of lib' });
  addSubmodule(shop, `file://${lib}`);
  const again = path.join(bench.scratch, 'evil');
  git(bench.scratch, 'clone', '--quiet', shop, again);
  const client = await bench.start([
    jobOf('true', {
      source: { repository: `file://${shop}`, submodules: 'recursive' },
    }),
  ]);
  const evil = path.join(bench.scratch, 'ran');
  for (const [index, url] of [
    `ext::sh -c "touch ${evil}"`,
    'ssh://-oProxyCommand=true/x.git',
    '-u./evil',
  ].entries()) {
    git(again, 'config', '-f', '.gitmodules', 'submodule.lib.url', url);
    git(again, 'commit', '--quiet', '-a', '-m', 'Be evil');
    git(again, 'push', '--quiet', 'origin', 'main');
    const build = await client.build('job');
    expect([url, build.number, build.result]).toEqual([
      url,
      index + 1,
      'FAILURE',
    ]);
    expect(build.reason).toContain('Check out failed: git submodule');
  }
  expect(() => execFileSync('ls', [evil], { stdio: 'pipe' })).toThrow();
});

it('spends no credentials on the submodules of a fork', async () => {
  const token = 'a-token-of-the-forge';
  const login = `Basic ${Buffer.from(`ci:${token}`).toString('base64')}`;
  const open = await serveGit(bench.scratch, { authorization: login });
  try {
    await makeRepository('secret', { plans: 'the plans' });
    const shop = await makeRepository('shop', { file: '' });
    const again = path.join(bench.scratch, 'fork');
    git(bench.scratch, 'clone', '--quiet', shop, again);
    git(again, 'submodule', '--quiet', 'add', `${shop}/../secret.git`, 'lib');
    git(
      again,
      ...['config', '-f', '.gitmodules'],
      ...['submodule.lib.url', `${open.url}/secret.git`],
    );
    git(again, 'commit', '--quiet', '-a', '-m', 'Want it');
    git(again, 'push', '--quiet', 'origin', 'HEAD:refs/pull/7/head');
    git(again, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    const sha = git(again, 'rev-parse', 'HEAD');
    const client = await bench.start(
      [
        jobOf('cat lib/plans', {
          source: {
            repository: `${open.url}/shop.git`,
            submodules: 'direct',
            credentials: { username: 'ci', secret: 'forge' },
          },
          webhook: { token: 'hello-webhook', refs: ['refs/pull/**'] },
        }),
      ],
      {
        git: { protocols: ['http'] },
        stepSecrets: { forge: { value: token, jobs: ['job'] } },
      },
    );
    // The owner's own commit may.
    expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
    const { body } = await client.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      {
        action: 'opened',
        number: 7,
        repository: { id: 1, clone_url: `${open.url}/shop.git` },
        pull_request: {
          head: { sha, ref: 'main', repo: { id: 2 } },
          base: { ref: 'main', repo: { id: 1 } },
        },
      },
      { 'x-github-event': 'pull_request' },
    );
    const item = new URL(body.jobs.job.url).pathname;
    const build = await client.ended(await client.started(item));
    expect(build.result).toBe('FAILURE');
    expect(build.reason).toContain('git submodule');
    expect(await client.log('/job/job/2/')).not.toContain('the plans');
  } finally {
    open.stop();
  }
});

it('checks only the folders out that the job names', async () => {
  const shop = await makeRepository('shop', {
    'cart/a': '',
    'docs/b': '',
    root: '',
  });
  const client = await bench.start([
    jobOf('ls', { source: { repository: `file://${shop}`, sparse: ['cart'] } }),
  ]);
  expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
  const log = await client.log('/job/job/1/');
  expect(log).toContain('cart\nroot\n');
  expect(log).not.toContain('docs');
});

it('fetches Git LFS files only from the host of the repository, if LFS is installed', async () => {
  const shop = await makeRepository('shop', {
    '.lfsconfig': '[lfs]\n\turl = https://elsewhere.test/\n',
  });
  const bin = path.join(bench.scratch, 'bin');
  await mkdir(bin);
  const lfs = path.join(bin, 'git-lfs');
  const source = { repository: `file://${shop}`, lfs: true };
  const client = await bench.start([jobOf('true', { source })], {
    path: `${bin}:/usr/local/bin:/usr/bin:/bin`,
  });
  await writeFile(lfs, '#!/bin/sh\nexit 1\n');
  await chmod(lfs, 0o755);
  expect(await client.build('job')).toMatchObject({
    reason: 'Check out failed: Git LFS is not installed where the build runs',
  });
  await writeFile(
    lfs,
    '#!/bin/sh\necho "lfs $*"; [ "$1" = version ] || git config lfs.url\n',
  );
  expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
  const log = await client.log('/job/job/2/');
  expect(log).toContain(`lfs pull file://${shop}\nfile://${shop}/info/lfs\n`);
});

// eslint-disable-next-line jest/no-done-callback -- the test's context
it('replaces the pointers of Git LFS by their files, with the credentials of the repository', async context => {
  if (spawnSync('git', ['lfs', 'version']).status !== 0) {
    context.skip('Git LFS is not installed');
  }
  const content = 'a large file\n'.repeat(1_000);
  const oid = hash('sha256', content);
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;
  await makeRepository('shop', {
    '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    'large.bin': pointer,
  });
  const host = await serveGit(bench.scratch, {
    authorization: `Basic ${Buffer.from('ci:a-token-of-the-forge').toString('base64')}`,
    objects: new Map([[oid, content]]),
  });
  try {
    const client = await bench.start(
      [
        jobOf('sha256sum large.bin; git status --porcelain; echo clean', {
          source: {
            repository: `${host.url}/shop.git`,
            lfs: true,
            credentials: { username: 'ci', secret: 'forge' },
          },
        }),
      ],
      {
        git: { protocols: ['http'] },
        stepSecrets: {
          forge: { value: 'a-token-of-the-forge', jobs: ['job'] },
        },
      },
    );
    expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
    expect(await client.log('/job/job/1/')).toContain(
      `${oid}  large.bin\nclean\n`,
    );
  } finally {
    host.stop();
  }
});

it('reads a repository over ssh with a key, from a known host', async () => {
  const shop = await makeRepository('shop', { file: 'of shop' });
  const bin = path.join(bench.scratch, 'bin');
  await mkdir(bin);
  // Fakes the server and records its input.
  await writeFile(
    path.join(bin, 'ssh'),
    `#!/bin/sh
echo "ssh $*" >&2
case "$*" in *other.test*) echo 'Host key verification failed.' >&2; exit 255 ;; esac
while [ $# -gt 0 ]; do
  case "$1" in
    -i) stat -c 'key has mode %a' "$2" >&2; grep -c 'PRIVATE' "$2" >&2 ;;
    -o) case "$2" in UserKnownHostsFile=*) cat "\${2#*=}" >&2 ;; esac ;;
  esac
  last="$1"; shift
done
exec sh -c "$last"
`,
  );
  await chmod(path.join(bin, 'ssh'), 0o755);
  const key =
    '-----BEGIN PRIVATE KEY-----\nsecretsecretsecret\n-----END PRIVATE KEY-----';
  const credentials = {
    secret: 'deploy-key',
    knownHosts: 'forge.test ssh-ed25519 AAAA',
  };
  const client = await bench.start(
    [
      jobOf('cat file; env', {
        source: { repository: `ssh://git@forge.test${shop}`, credentials },
      }),
      {
        ...jobOf('true', {
          source: { repository: `ssh://git@other.test${shop}`, credentials },
        }),
        name: 'other',
      },
    ],
    {
      git: { protocols: ['ssh'] },
      path: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      stepSecrets: { 'deploy-key': { value: key, jobs: ['job', 'other'] } },
    },
  );
  expect(await client.build('job')).toMatchObject({ result: 'SUCCESS' });
  const log = await client.log('/job/job/1/');
  expect(log).toContain('StrictHostKeyChecking=yes');
  expect(log).toContain('-F /dev/null');
  expect(log).toContain('key has mode 600');
  expect(log).toContain('forge.test ssh-ed25519 AAAA');
  expect(log).toContain('of shop');
  expect(log).not.toContain('secretsecretsecret');
  expect(log).not.toContain('SLIPWAY_SSH');
  expect(await client.build('other')).toMatchObject({
    reason: 'Check out failed: git fetch: Host key verification failed.',
  });
});

it.each([
  ['ssh://git@forge.test/a.git', undefined, 'is required'],
  ['https://forge.test/a.git', 'forge.test ssh-ed25519 A', 'only there'],
])(
  'says that %s with known hosts %s is wrong',
  async (repository, knownHosts, text) => {
    const client = await bench.start(
      [
        jobOf('true', {
          source: {
            repository,
            credentials: { secret: 'key', ...(knownHosts && { knownHosts }) },
          },
        }),
      ],
      { stepSecrets: { key: { value: 'a-long-secret', jobs: ['job'] } } },
    );
    const { body } = await client.get('/job/job/api/json');
    expect(body.faults[0].message).toContain(text);
  },
);
