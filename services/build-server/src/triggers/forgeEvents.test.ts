import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import type { BuildClient } from '../__testUtils__/BuildClient.ts';
import { readEvent } from './forgeEvents.ts';

const ZEROS = '0'.repeat(40);
const MISSING = 'abcdef12'.repeat(5);

let bench: Bench;
let client: BuildClient;
/** The commits of main: one, two; then of a pull request and of a branch. */
let one: string;
let two: string;
let head: string;
let feature: string;

beforeAll(async () => {
  bench = await Bench.open();
  const work = path.join(bench.scratch, 'work');
  const bare = path.join(bench.scratch, 'shop.git');
  gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', work);
  const commit = async (text: string) => {
    await writeFile(path.join(work, 'file'), text);
    gitIn(work, 'add', '.');
    gitIn(work, 'commit', '--quiet', '-m', text);
    return gitIn(work, 'rev-parse', 'HEAD');
  };
  one = await commit('one');
  two = await commit('two');
  gitIn(bench.scratch, 'clone', '--quiet', '--bare', work, bare);
  gitIn(work, 'checkout', '--quiet', '-b', 'feature');
  feature = await commit('feature');
  gitIn(work, 'push', '--quiet', bare, 'HEAD:refs/heads/feature');
  gitIn(work, 'tag', '-a', 'v1', '-m', 'v1', one);
  gitIn(work, 'push', '--quiet', bare, 'v1');
  head = await commit('head');
  for (const ref of [
    'pull/7/head',
    'merge-requests/7/head',
    'pull-requests/7/from',
  ]) {
    gitIn(work, 'push', '--quiet', bare, `HEAD:refs/${ref}`);
  }
  client = await bench.start(
    [
      jobOf('cat file; echo "; token=[$TOKEN]"', {
        concurrent: true,
        source: { repository: `file://${bare}`, branch: 'main' },
        webhook: { token: 'hello-webhook', refs: ['refs/**'] },
        steps: [
          {
            name: 'Run',
            run: 'cat file; echo "; token=[$TOKEN]"',
            secrets: { TOKEN: 'token' },
          },
        ],
      }),
      {
        ...jobOf('cat file'),
        name: 'own',
        source: { repository: `file://${bare}`, branch: 'main' },
        webhook: { token: 'other-webhook' },
      },
    ],
    {
      executors: 4,
      stepSecrets: { token: { value: 'the-token-of-job', jobs: ['job'] } },
    },
  );
});

afterAll(() => bench.close());

interface Outcome {
  triggered: boolean;
  url: string;
  reason?: string;
  further?: Outcome[];
}

async function send(
  payload: object,
  headers: Record<string, string>,
  token = 'test-webhook-token',
): Promise<Outcome> {
  const answer = await client.json(
    `/generic-webhook-trigger/invoke?token=${token}`,
    payload,
    headers,
  );
  expect(answer.status).toBe(200);
  return Object.values(answer.body.jobs)[0] as Outcome;
}

async function build(outcome: Outcome) {
  expect(outcome).toMatchObject({ triggered: true });
  const url = await client.started(new URL(outcome.url).pathname);
  return { ...(await client.ended(url)), log: await client.log(url) };
}

const REPOSITORY = { id: 1, name: 'shop', full_name: 'org/shop' };
const github = (event: string) => ({ 'x-github-event': event });
const gitlab = (event: string) => ({ 'x-gitlab-event': event });
const bitbucket = (event: string) => ({ 'x-event-key': event });
const gitea = (event: string) => ({
  'x-gitea-event': event,
  'x-github-event': event,
});

const pull = (action: string, more: object = {}) => ({
  action,
  number: 7,
  repository: REPOSITORY,
  pull_request: {
    number: 7,
    title: 'Say head',
    user: { login: 'grace' },
    head: { ref: 'topic', sha: head, repo: { id: 1 } },
    base: { ref: 'main', sha: two, repo: { id: 1 } },
    ...more,
  },
});

const merge = (action: string, more: object = {}) => ({
  object_kind: 'merge_request',
  user: { username: 'grace' },
  project: { path_with_namespace: 'org/shop' },
  object_attributes: {
    iid: 7,
    action,
    source_project_id: 1,
    target_project_id: 1,
    source_branch: 'topic',
    target_branch: 'main',
    last_commit: { id: head },
    ...more,
  },
});

const serverPull = () => ({
  actor: { name: 'grace' },
  pullRequest: {
    id: 7,
    fromRef: { displayId: 'topic', latestCommit: head, repository: { id: 1 } },
    toRef: {
      displayId: 'main',
      repository: { id: 1, slug: 'shop', project: { key: 'ORG' } },
    },
  },
});

describe('builds the commit of', () => {
  it.each([
    [
      'a push of GitHub',
      github('push'),
      () => ({ ref: 'refs/heads/main', before: ZEROS, after: one }),
      () => one,
    ],
    [
      'a tag of GitHub',
      github('push'),
      () => ({ ref: 'refs/tags/v1', before: ZEROS, after: one }),
      () => one,
    ],
    [
      'a pull request of GitHub',
      github('pull_request'),
      () => pull('synchronize'),
      () => head,
    ],
    [
      'a pull request of Gitea',
      gitea('pull_request'),
      () => pull('synchronized'),
      () => head,
    ],
    [
      'a push of GitLab',
      gitlab('Push Hook'),
      () => ({
        object_kind: 'push',
        ref: 'refs/heads/feature',
        after: feature,
        checkout_sha: feature,
      }),
      () => feature,
    ],
    [
      'a tag of GitLab',
      gitlab('Tag Push Hook'),
      () => ({
        object_kind: 'tag_push',
        ref: 'refs/tags/v1',
        after: MISSING,
        checkout_sha: one,
      }),
      () => one,
    ],
    [
      'a system hook of GitLab',
      gitlab('System Hook'),
      () => ({
        event_name: 'push',
        ref: 'refs/heads/main',
        after: one,
        checkout_sha: one,
      }),
      () => one,
    ],
    [
      'a merge request of GitLab',
      gitlab('Merge Request Hook'),
      () => merge('update', { oldrev: one }),
      () => head,
    ],
    [
      'a push of Bitbucket Server',
      bitbucket('repo:refs_changed'),
      () => ({
        eventKey: 'repo:refs_changed',
        changes: [{ refId: 'refs/heads/main', toHash: one, type: 'UPDATE' }],
      }),
      () => one,
    ],
    [
      'a pull request of Bitbucket Server',
      bitbucket('pr:opened'),
      serverPull,
      () => head,
    ],
    [
      'a pull request without the name of its event',
      {},
      () => pull('opened'),
      () => head,
    ],
    [
      'a pull request that a proxy passes on',
      { 'x-forge-event': 'pull_request' },
      () => pull('opened'),
      () => head,
    ],
  ] as const)('%s', async (_what, headers, payload, expected) => {
    const found = await build(
      await send({ repository: REPOSITORY, ...payload() }, { ...headers }),
    );
    expect(found).toMatchObject({ result: 'SUCCESS', revision: expected() });
  });

  it('each ref of a push of Bitbucket', async () => {
    const change = (name: string, hash: string, type = 'branch') => ({
      new: { type, name, target: { hash } },
      commits: [{ hash, message: 'Change', author: { raw: 'Ada <a@b>' } }],
    });
    const payload = {
      repository: REPOSITORY,
      push: {
        changes: [
          { old: { name: 'gone' }, new: null, closed: true },
          change('main', one),
          change('feature', feature),
          change('v1', one, 'annotated_tag'),
        ],
      },
    };
    const headers = { ...bitbucket('repo:push'), 'x-request-uuid': 'r-1' };
    const first = await send(payload, headers);
    const all = [first, ...(first.further ?? [])];
    const builds = await Promise.all(all.map(build));
    expect(builds.map(({ ref, revision }) => [ref, revision])).toEqual([
      ['refs/heads/main', one],
      ['refs/heads/feature', feature],
      ['refs/tags/v1', one],
    ]);
    expect(builds[0].changeSet.items).toMatchObject([
      { commitId: one, author: { fullName: 'Ada' } },
    ]);
    expect(await send(payload, headers)).toEqual(first);
  });
});

describe('builds nothing of', () => {
  const comment = { action: 'created', issue: { number: 7 }, comment: {} };
  it.each([
    ['a closed pull request', github('pull_request'), () => pull('closed')],
    ['a labeled one', github('pull_request'), () => pull('labeled')],
    ['a comment', github('issue_comment'), () => comment],
    [
      'a comment that a proxy passes on',
      { 'x-forge-event': 'issue_comment' },
      () => comment,
    ],
    ['a comment without the name of its event', {}, () => comment],
    [
      'a release',
      github('release'),
      () => ({ action: 'published', release: {} }),
    ],
    [
      'a created branch',
      github('create'),
      () => ({ ref: 'main', ref_type: 'branch' }),
    ],
    ['a ping', github('ping'), () => ({ zen: 'Keep it.', hook: {} })],
    [
      'a deleted branch',
      github('push'),
      () => ({ ref: 'refs/heads/main', after: ZEROS, deleted: true }),
    ],
    ['a title of GitLab', gitlab('Merge Request Hook'), () => merge('update')],
    ['a merge of GitLab', gitlab('Merge Request Hook'), () => merge('merge')],
    [
      'a deleted tag of GitLab',
      gitlab('Tag Push Hook'),
      () => ({ ref: 'refs/tags/v1', checkout_sha: null, after: ZEROS }),
    ],
    [
      'a note of GitLab',
      gitlab('Note Hook'),
      () => ({ object_kind: 'note', object_attributes: {} }),
    ],
    [
      'a note without the name of its event',
      {},
      () => ({ object_kind: 'note' }),
    ],
    [
      'a deletion of Bitbucket',
      bitbucket('repo:push'),
      () => ({ push: { changes: [{ new: null }] } }),
    ],
    [
      'a fork at Bitbucket',
      bitbucket('pullrequest:created'),
      () => ({
        pullrequest: {
          id: 7,
          source: { repository: { uuid: 'a' } },
          destination: { repository: { uuid: 'b' } },
        },
      }),
    ],
    [
      'a comment of Bitbucket',
      bitbucket('pullrequest:comment_created'),
      () => ({ pullrequest: {} }),
    ],
    ['a merge of Bitbucket Server', bitbucket('pr:merged'), serverPull],
    ['a push of GitHub without a ref', github('push'), () => ({ after: two })],
    [
      'one without a commit',
      github('push'),
      () => ({ ref: 'refs/heads/main' }),
    ],
    [
      'one of no commit id',
      github('push'),
      () => ({ ref: 'refs/heads/main', after: 'main' }),
    ],
    ['a ref that is no text', {}, () => ({ ref: 7 })],
    ['a ref that is null', {}, () => ({ ref: null })],
    [
      'a commit that is no text',
      {},
      () => ({ ref: 'refs/heads/main', after: 12 }),
    ],
    [
      'a commit that is null',
      {},
      () => ({ ref: 'refs/heads/main', after: null }),
    ],
  ] as const)('%s', async (_what, headers, payload) => {
    const outcome = await send({ repository: REPOSITORY, ...payload() }, {
      ...headers,
    } as Record<string, string>);
    expect(outcome).toEqual({
      triggered: false,
      url: '',
      buildNumber: 0,
      reason: expect.any(String),
    });
  });
});

it.each([
  [{ ref: 'refs/heads/none', after: MISSING }],
  [{ ref: 'refs/heads/main', after: MISSING }],
  [{ ref: 'refs/heads/main', after: '' }],
  [{ ref: 'refs/heads/main', after: 'two' }],
])('fails where %o is no commit, and builds no other', async payload => {
  const found = await build(await send(payload, {}));
  expect(found).toMatchObject({ result: 'FAILURE' });
  expect(found.log).not.toMatch(/^(one|two|head|feature)/m);
});

it.each(['pullrequest:fulfilled', 'pullrequest:rejected'])(
  'reads the end of a pull request of Bitbucket Cloud from %s',
  event => {
    const payload = { pullrequest: { id: 7 } };
    expect(readEvent(payload, { event, isForge: true })).toEqual({
      kind: 'nothing',
      reason: 'The pull request was closed',
      gone: [{ pullRequest: 7 }],
    });
  },
);

it('builds pull requests only if the job is configured so', async () => {
  const outcome = await send(
    pull('opened'),
    github('pull_request'),
    'test-other-token',
  );
  expect(outcome.reason).toBe('The job does not build refs/pull/7/head');
});

it('passes no secrets to forks', async () => {
  const own = await build(await send(pull('opened'), github('pull_request')));
  expect(own.log).toContain('token=[****]');
  for (const repo of [{ id: 2 }, null]) {
    const fork = await build(
      await send(
        pull('opened', { head: { ref: 'topic', sha: head, repo } }),
        github('pull_request'),
      ),
    );
    expect(fork.log).toContain('head; token=[]');
  }
});

it('has the same cause as in Jenkins', async () => {
  const found = await build(
    await send(
      { repository: REPOSITORY, ref: 'refs/heads/main', after: one },
      github('push'),
    ),
  );
  expect(found.actions[0].causes).toEqual([
    {
      _class: 'org.jenkinsci.plugins.gwt.GenericCause',
      shortDescription: 'Triggered by push of org/shop refs/heads/main',
      userName: null,
    },
  ]);
});
