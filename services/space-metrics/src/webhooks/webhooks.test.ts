import { createHmac } from 'node:crypto';
import type { Service } from '@slipway/service-kit';
import { FakePortalApi } from '../__testUtils__/FakePortalApi.ts';
import {
  clientOf,
  FORGE_SECRET,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const WEEK = 'start_date=2026-11-14&end_date=2026-11-20';

let portal: FakePortalApi;
let service: Service;
let client: ReturnType<typeof clientOf>;

beforeEach(async () => {
  portal = await FakePortalApi.start();
  portal.answerUsers(() => [
    {
      kind: 'User',
      metadata: {
        name: 'ada',
        annotations: { 'github.com/user-login': 'ada-lovelace' },
      },
      spec: { memberOf: ['payments'], profile: { email: 'ada@example.org' } },
    },
  ]);
  service = await startSpaceMetrics({
    now: () => NOW,
    config: { portal: { baseUrl: portal.baseUrl } },
  });
  client = clientOf(service);
});

afterEach(async () => {
  await service.stop();
  await portal.stop();
});

const read = async (dimension: string, team = 'payments') =>
  (await client.get(`/api/v1/metrics/space/${dimension}?${WEEK}&team=${team}`))
    .body.data;

const repository = { full_name: 'acme/shop', default_branch: 'main' };
const ada = {
  name: 'Ada',
  email: 'Ada@Example.org',
  username: 'ada-lovelace',
};

function commit(id: string, more: object = {}) {
  return {
    id,
    message: 'Sell more',
    timestamp: '2026-11-18T10:00:00+02:00',
    author: ada,
    added: [],
    removed: [],
    modified: ['src/shop.ts'],
    ...more,
  };
}

describe('GitHub', () => {
  it('counts commits, without merges, bots and duplicates', async () => {
    const push = {
      ref: 'refs/heads/main',
      repository,
      commits: [
        commit('a1'),
        commit('a2', { modified: ['docs/index.md'] }),
        commit('a3', { message: 'Merge pull request #7 from acme/x' }),
        commit('a4', {
          author: { name: 'Renovate', username: 'renovate[bot]' },
        }),
      ],
    };
    expect(await client.github('push', push)).toEqual({
      status: 200,
      body: { status: 'success', accepted: 3, duplicates: 0, ignored: 1 },
    });
    expect((await client.github('push', push)).body).toMatchObject({
      accepted: 0,
      duplicates: 3,
    });
    const branch = {
      ...push,
      ref: 'refs/heads/feature',
      commits: [commit('b1')],
    };
    expect((await client.github('push', branch)).body.accepted).toBe(0);
    expect(await read('activity')).toMatchObject({
      commits_per_week: 2,
      active_days: 1,
      samples: { people: 1 },
    });
    expect(await read('communication')).toMatchObject({ docs_updates: 1 });
  });

  it('counts merges, reviews and comments on pull requests', async () => {
    const user = { login: 'ada-lovelace', type: 'User' };
    const pull_request = {
      number: 7,
      merged: true,
      merged_at: '2026-11-18T10:00:00Z',
      user,
    };
    const comment = { id: 1, user, created_at: '2026-11-18T10:00:00Z' };
    const review = {
      id: 2,
      user,
      body: 'Good',
      state: 'approved',
      submitted_at: '2026-11-18T10:00:00Z',
    };
    const deliveries: [string, object, number][] = [
      ['pull_request', { action: 'closed', repository, pull_request }, 1],
      [
        'pull_request',
        {
          action: 'closed',
          repository,
          pull_request: { ...pull_request, number: 8, merged: false },
        },
        0,
      ],
      [
        'issue_comment',
        { action: 'created', repository, issue: { pull_request: {} }, comment },
        1,
      ],
      [
        'issue_comment',
        { action: 'created', repository, issue: {}, comment },
        0,
      ],
      [
        'pull_request_review_comment',
        { action: 'created', repository, comment: { ...comment, id: 3 } },
        1,
      ],
      ['pull_request_review', { action: 'submitted', repository, review }, 1],
      [
        'pull_request_review',
        {
          action: 'submitted',
          repository,
          review: { ...review, id: 4, body: null, state: 'commented' },
        },
        0,
      ],
      ['star', { action: 'created' }, 0],
    ];
    for (const [event, body, accepted] of deliveries) {
      expect(await client.github(event, body)).toMatchObject({
        status: 200,
        body: { accepted },
      });
    }
    expect(await read('activity')).toMatchObject({ prs_merged: 1 });
    expect(await read('communication')).toMatchObject({ pr_comments: 3 });
  });

  it('is accepted only with a valid signature', async () => {
    const forged = await client.github('push', { ref: 'x' }, 'guess');
    expect(forged.status).toBe(401);
    expect(forged.body.error.code).toBe('UNAUTHENTICATED');
    const malformed = await client.github('push', { ref: 'x' });
    expect(malformed.status).toBe(400);
    expect(malformed.body.error.details.field).toBe('repository');
  });
});

describe('a form', () => {
  const json = JSON.stringify({
    ref: 'refs/heads/main',
    repository,
    commits: [commit('f1')],
  });
  const post = (forge: string, form: string, signed: string) =>
    service.app.inject({
      method: 'POST',
      url: `/api/v1/webhooks/${forge}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        [`x-${forge}-event`]: 'push',
        'x-hub-signature-256': `sha256=${createHmac('sha256', FORGE_SECRET)
          .update(signed)
          .digest('hex')}`,
      },
      payload: form,
    });
  const form = new URLSearchParams({ payload: json }).toString();

  it('contains the JSON in a field', async () => {
    // GitHub signs the form, Gitea the JSON in it.
    expect((await post('github', form, form)).json()).toMatchObject({
      accepted: 1,
    });
    expect((await post('gitea', form, json)).json()).toMatchObject({
      accepted: 1,
    });
    expect((await post('github', form, json)).statusCode).toBe(401);
  });

  it('is rejected without that field', async () => {
    const answer = await post('github', 'a=1', 'a=1');
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details.field).toBe('payload');
  });
});

describe('Gitea and Forgejo', () => {
  it.each(['gitea', 'forgejo'])('%s signs in its own header', async forge => {
    const post = (
      event: string,
      body: object,
      header = `x-${forge}-signature`,
    ) => {
      const payload = JSON.stringify(body);
      return service.app.inject({
        method: 'POST',
        url: `/api/v1/webhooks/${forge}`,
        headers: {
          'content-type': 'application/json',
          [`x-${forge}-event`]: event,
          [header]: createHmac('sha256', FORGE_SECRET)
            .update(payload)
            .digest('hex'),
        },
        payload,
      });
    };
    const push = {
      ref: 'refs/heads/main',
      repository,
      commits: [commit('a1')],
    };
    expect((await post('push', push)).json()).toMatchObject({ accepted: 1 });
    expect((await post('push', push, 'x-other')).statusCode).toBe(401);
    const sender = { login: 'ada' };
    const reviewed = {
      repository,
      sender,
      pull_request: { number: 7, head: { sha: 'abc' } },
      review: { type: 'pull_request_review_approved', content: '' },
    };
    const comment = {
      action: 'created',
      repository,
      is_pull: true,
      issue: {},
      comment: { id: 9, user: sender, created_at: '2026-11-18T10:00:00Z' },
    };
    expect(
      (await post('pull_request_approved', reviewed)).json(),
    ).toMatchObject({ accepted: 1 });
    expect((await post('issue_comment', comment)).json()).toMatchObject({
      accepted: 1,
    });
    expect(await read('communication')).toMatchObject({ pr_comments: 2 });
  });
});

describe('GitLab', () => {
  const post = (event: string, body: object, token = FORGE_SECRET) =>
    service.app.inject({
      method: 'POST',
      url: '/api/v1/webhooks/gitlab',
      headers: { 'x-gitlab-event': event, 'x-gitlab-token': token },
      payload: body,
    });
  const project = {
    path_with_namespace: 'acme/shop',
    default_branch: 'main',
  };
  const user = { username: 'ada', email: '[REDACTED]' };

  it('counts pushes, merge requests and notes', async () => {
    const author = { name: 'Ada', email: 'ada@example.org' };
    const deliveries: [string, object, number][] = [
      [
        'Push Hook',
        {
          ref: 'refs/heads/main',
          project,
          commits: [commit('c1', { author })],
        },
        1,
      ],
      [
        'Merge Request Hook',
        {
          project,
          user,
          object_attributes: {
            iid: 3,
            action: 'merge',
            updated_at: '2026-11-18 10:00:00 UTC',
            last_commit: { id: 'c1', author },
          },
        },
        1,
      ],
      [
        'Merge Request Hook',
        { project, user, object_attributes: { iid: 3, action: 'approved' } },
        1,
      ],
      [
        'Merge Request Hook',
        { project, user, object_attributes: { iid: 3, action: 'open' } },
        0,
      ],
      [
        'Note Hook',
        {
          project,
          user,
          object_attributes: { id: 4, noteable_type: 'MergeRequest' },
        },
        1,
      ],
      [
        'Note Hook',
        { project, user, object_attributes: { id: 5, noteable_type: 'Issue' } },
        0,
      ],
    ];
    for (const [event, body, accepted] of deliveries) {
      const response = await post(event, body);
      expect([event, response.json().accepted]).toEqual([event, accepted]);
    }
    expect(await read('activity')).toMatchObject({
      commits_per_week: 1,
      prs_merged: 1,
      samples: { people: 1 },
    });
    expect(await read('communication')).toMatchObject({ pr_comments: 2 });
  });

  it('is accepted only with a valid token', async () => {
    expect((await post('Push Hook', {}, 'guess')).statusCode).toBe(401);
  });
});

it('limits only requests of an address with an invalid signature', async () => {
  const limited = await startSpaceMetrics({
    config: { rateLimit: { anonymousPerMinute: 2 } },
  });
  const send = async (signature: string) => {
    const { statusCode } = await limited.app.inject({
      method: 'POST',
      url: '/api/v1/webhooks/github',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'ping',
        'x-hub-signature-256': signature,
      },
      payload: '{}',
    });
    return statusCode;
  };
  const statuses = [await send('x'), await send('x'), await send('x')];
  expect(statuses).toEqual([401, 401, 429]);
  const digest = createHmac('sha256', FORGE_SECRET).update('{}').digest('hex');
  expect(await send(`sha256=${digest}`)).toBe(200);
  await limited.stop();
});

it('rejects other forges, and forges without a secret', async () => {
  const ask = (target: Service, forge: string) =>
    target.app.inject({
      method: 'POST',
      url: `/api/v1/webhooks/${forge}`,
      payload: {},
    });
  expect((await ask(service, 'sourcehut')).statusCode).toBe(404);
  const bare = await startSpaceMetrics({ config: { forges: {} } });
  expect((await ask(bare, 'github')).statusCode).toBe(401);
  await bare.stop();
});
