import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=Ada', '-c', 'user.email=a@b', ...args],
    {
      cwd,
      stdio: 'pipe',
    },
  )
    .toString()
    .trim();

/** A bare repository with two commits on main. @returns its address and the commits. */
async function makeRepository(): Promise<{ url: string; commits: string[] }> {
  const work = path.join(bench.scratch, 'work');
  execFileSync('git', ['init', '--quiet', '-b', 'main', work]);
  const commits: string[] = [];
  for (const text of ['one', 'two']) {
    await writeFile(path.join(work, 'file'), text);
    git(work, 'add', '.');
    git(work, 'commit', '--quiet', '-m', `Say ${text}`);
    commits.push(git(work, 'rev-parse', 'HEAD'));
  }
  const bare = path.join(bench.scratch, 'shop.git');
  git(bench.scratch, 'clone', '--quiet', '--bare', work, bare);
  return { url: `file://${bare}`, commits };
}

it('builds what was pushed, else the tip of the branch', async () => {
  const { url, commits } = await makeRepository();
  const client = await bench.start([
    jobOf('cat file; echo; echo "$GIT_COMMIT"', {
      source: { repository: url, branch: 'main' },
      webhook: { token: 'hello-webhook' },
    }),
  ]);
  const pushed = await client.json(
    '/generic-webhook-trigger/invoke?token=test-webhook-token',
    { ref: 'refs/heads/main', after: commits[0] },
  );
  const item = new URL(pushed.body.jobs.job.url).pathname;
  const first = await client.ended(await client.started(item));
  expect(first).toMatchObject({
    result: 'SUCCESS',
    revision: commits[0],
    steps: [{ name: 'Check out', state: 'done' }, { state: 'done' }],
  });
  expect(await client.log('/job/job/1/')).toContain(`one\n${commits[0]}`);

  const tip = await client.build('job');
  expect(tip).toMatchObject({
    revision: commits[1],
    changeSet: { items: [{ commitId: commits[1], msg: 'Say two' }] },
  });
  expect(await client.log('/job/job/2/')).toContain('two\n');
});

it('keeps the beginning of a message that does not end', async () => {
  const { url, commits } = await makeRepository();
  const bare = url.slice('file://'.length);
  const long = path.join(bench.scratch, 'message');
  await writeFile(long, `Say much\n\n${'word '.repeat(100_000)}`);
  git(bench.scratch, 'clone', '--quiet', bare, 'again');
  const again = path.join(bench.scratch, 'again');
  git(again, 'commit', '--quiet', '--allow-empty', '-F', long);
  git(again, 'push', '--quiet', 'origin', 'main');
  const client = await bench.start([
    jobOf('true', { source: { repository: url } }),
  ]);
  const build = await client.build('job');
  const head = git(again, 'rev-parse', 'HEAD');
  expect(head).not.toBe(commits[1]);
  expect(build).toMatchObject({ result: 'SUCCESS', revision: head });
  const [item] = build.changeSet.items;
  expect(item).toMatchObject({ commitId: head });
  expect(item.msg).toMatch(/^Say much/);
  expect(JSON.stringify(item).length).toBeLessThan(40_000);
});

it.each([
  ['--upload-pack=touch', '0'.repeat(39) + 1],
  ['refs/heads/--upload-pack=x', 'HEAD; touch x'],
  ['refs/heads/../../x', '--help'],
])('believes no ref %s or commit %s', async (ref, after) => {
  const { url } = await makeRepository();
  const client = await bench.start([
    jobOf('true', {
      source: { repository: url },
      webhook: { token: 'hello-webhook' },
    }),
  ]);
  const pushed = await client.json(
    '/generic-webhook-trigger/invoke?token=test-webhook-token',
    { ref, after },
  );
  const item = new URL(pushed.body.jobs.job.url).pathname;
  const build = await client.ended(await client.started(item));
  expect(['SUCCESS', 'FAILURE']).toContain(build.result);
  expect(await client.log('/job/job/1/')).not.toMatch(/usage:|unknown option/);
});

it('fails where there is no such repository or protocol', async () => {
  const client = await bench.start([
    jobOf('true', { source: { repository: 'file:///no/such/repository' } }),
    {
      ...jobOf('true', { source: { repository: 'ext::sh -c touch' } }),
      name: 'other',
      source: { repository: 'https://127.0.0.1:1/x.git' },
    },
  ]);
  const build = await client.build('job');
  expect(build).toMatchObject({
    result: 'FAILURE',
    reason: expect.stringContaining('Check out failed: git fetch'),
  });
  // Not among the protocols of this server.
  await client.build('other');
  expect(await client.log('/job/other/1/')).toContain(
    "transport 'https' not allowed",
  );
});
