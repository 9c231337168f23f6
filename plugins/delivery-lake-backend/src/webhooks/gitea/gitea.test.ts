import forgejoIssue from '../__fixtures__/forgejo/issues.json';
import forgejoPush from '../__fixtures__/forgejo/push.json';
import issue from '../__fixtures__/gitea/issues.json';
import pullRequest from '../__fixtures__/gitea/pull_request.json';
import push from '../__fixtures__/gitea/push.json';
import release from '../__fixtures__/gitea/release.json';
import { at, eventsOf, mapPayload } from '../__testUtils__/mapping';

const FIRST = '5b6c7d8e9f00112233445566778899aabbccddee';
const MERGE = '0d1e2f3a4b5c6d7e8f90a1b2c3d4e5f601234567';

function map(type: string, body: unknown, channel = 'gitea', settings = {}) {
  return mapPayload({ channel, type, body, webhooks: { [channel]: settings } });
}

it.each([
  ['gitea', push],
  ['forgejo', forgejoPush],
])('turns the commits of %s, newest first, into their order', (forge, body) => {
  const landedAt = at('2026-03-04T15:00:00+01:00');
  expect(eventsOf(map('push', body, forge))).toEqual([
    expect.objectContaining({
      source: forge,
      repository: 'shop/billing',
      sha: FIRST,
      author: 'Ada Lovelace',
      committedAt: at('2026-03-04T14:10:00+01:00'),
      landedAt,
      sequence: 0,
    }),
    expect.objectContaining({ sha: MERGE, landedAt, sequence: 1 }),
  ]);
});

it('ignores the deletion of a branch, which has no commits', () => {
  expect(
    map('push', { ...push, after: '0'.repeat(40), commits: null }).ignored,
  ).toBe('A push without commits');
});

it('reads a merged pull request', () => {
  expect(eventsOf(map('pull_request', pullRequest))).toEqual([
    expect.objectContaining({
      kind: 'change',
      sha: MERGE,
      message: 'Add VAT',
      author: 'ada',
      landedAt: at('2026-03-04T15:00:01+01:00'),
    }),
  ]);
});

it('treats a release as a production deployment, because there are no others', () => {
  expect(eventsOf(map('release', release))).toEqual([
    expect.objectContaining({
      source: 'gitea',
      externalId: 'release-5',
      environment: 'prod',
      status: 'SUCCESS',
      version: 'v2.1.0',
      triggeredBy: 'grace',
      commit: undefined,
    }),
  ]);
  expect(
    map('release', release, 'gitea', { releases: 'ignore' }).ignored,
  ).toContain('deliveryLake.webhooks.gitea.releases');
});

it.each([
  ['gitea', issue],
  ['forgejo', forgejoIssue],
])('reads an incident of %s', (forge, body) => {
  expect(eventsOf(map('issues', body, forge))).toEqual([
    expect.objectContaining({
      kind: 'incident',
      source: forge,
      externalId: 'shop/billing#9',
      severity: 'sev1',
      startedAt: at('2026-03-05T09:30:00+01:00'),
      resolvedAt: at('2026-03-05T10:15:00+01:00'),
      deployment: { source: forge, externalId: 'release-5' },
    }),
  ]);
});

it('does not treat an issue whose labels changed as an incident', () => {
  const changed = {
    ...issue,
    action: 'label_updated',
    issue: { ...issue.issue, labels: [] },
  };
  expect(eventsOf(map('issues', changed))[0]).toMatchObject({ deleted: true });
  expect(map('issues', { ...changed, action: 'edited' }).items).toEqual([]);
});
