import deployment from '../__fixtures__/gitlab/deployment.json';
import incident from '../__fixtures__/gitlab/incident.json';
import issue from '../__fixtures__/gitlab/issue.json';
import mergeRequest from '../__fixtures__/gitlab/merge_request.json';
import push from '../__fixtures__/gitlab/push.json';
import release from '../__fixtures__/gitlab/release.json';
import { at, eventsOf, mapPayload } from '../__testUtils__/mapping';

const FIRST = '3f1c9a5e7b2d4c6f8091a2b3c4d5e6f708192a3b';
const MERGE = 'a94b7c1d2e3f405162738495a6b7c8d9e0f10213';

function map(body: unknown, gitlab = {}) {
  return mapPayload({
    channel: 'gitlab',
    type: 'hook',
    body,
    webhooks: { gitlab },
  });
}

describe('push', () => {
  it('landed with its newest commit: GitLab does not send the time of the push', () => {
    const landedAt = at('2026-03-02T10:05:00+01:00');
    expect(eventsOf(map(push))).toEqual([
      expect.objectContaining({
        kind: 'change',
        source: 'gitlab',
        repository: 'shop/backend/cart',
        sha: FIRST,
        message: 'Round totals once\n\nAnd not per line.\n',
        author: 'Ada Lovelace',
        committedAt: at('2026-03-02T09:10:00+01:00'),
        landedAt,
        sequence: 0,
      }),
      expect.objectContaining({ sha: MERGE, landedAt, sequence: 1 }),
    ]);
  });

  it('creates no changes for another branch or a tag', () => {
    expect(map({ ...push, ref: 'refs/heads/next' }).ignored).toBe(
      'A push to next; shop/backend/cart is deployed from main',
    );
    expect(map({ ...push, object_kind: 'tag_push' }).ignored).toBe(
      'The lake ignores tag_push events of GitLab',
    );
  });
});

describe('merge request', () => {
  const withAttributes = (changes: object) => ({
    ...mergeRequest,
    object_attributes: { ...mergeRequest.object_attributes, ...changes },
  });

  it('is a change once it is merged', () => {
    expect(eventsOf(map(mergeRequest))).toEqual([
      {
        kind: 'change',
        source: 'gitlab',
        externalId: MERGE,
        occurredAt: at('2026-03-02T09:05:01Z'),
        repository: 'shop/backend/cart',
        sha: MERGE,
        message: 'Round totals once',
        author: 'Grace Hopper',
        landedAt: at('2026-03-02T09:05:01Z'),
        url: 'https://gitlab.example.org/shop/backend/cart/-/merge_requests/44',
      },
    ]);
  });

  it('has another commit if it was squashed or fast-forwarded', () => {
    expect(
      eventsOf(
        map(
          withAttributes({
            merge_commit_sha: null,
            squash_commit_sha: 'c'.repeat(40),
          }),
        ),
      )[0],
    ).toMatchObject({ sha: 'c'.repeat(40), author: 'Ada Lovelace' });
    expect(
      eventsOf(map(withAttributes({ merge_commit_sha: null })))[0],
    ).toMatchObject({ sha: FIRST, author: 'Ada Lovelace' });
  });

  it('is no change unless it is merged', () => {
    expect(map(withAttributes({ action: 'approved' })).ignored).toBe(
      'Merge request 44: approved, not a merge',
    );
  });
});

describe('deployment', () => {
  it('finished when its status changed, of the whole SHA, in the tier', () => {
    expect(eventsOf(map(deployment))).toEqual([
      {
        kind: 'deployment',
        source: 'gitlab',
        externalId: '315',
        occurredAt: at('2026-03-02T11:20:30+01:00'),
        service: 'shop/backend/cart',
        environment: 'prod',
        status: 'SUCCESS',
        startedAt: undefined,
        finishedAt: at('2026-03-02T11:20:30+01:00'),
        version: 'main',
        triggeredBy: 'grace',
        repository: 'shop/backend/cart',
        commit: {
          sha: MERGE,
          message: "Merge branch 'rounding' into 'main'",
        },
        url: 'https://gitlab.example.org/shop/backend/cart/-/jobs/7960',
      },
    ]);
  });

  it('started when it ran', () => {
    expect(
      eventsOf(map({ ...deployment, status: 'running' }))[0],
    ).toMatchObject({
      status: 'IN_PROGRESS',
      startedAt: at('2026-03-02T11:20:30+01:00'),
      finishedAt: undefined,
    });
  });

  it.each([
    ['failed', 'FAILURE'],
    ['canceled', 'CANCELLED'],
  ])('%s is %s', (status, expected) => {
    expect(eventsOf(map({ ...deployment, status }))[0]).toMatchObject({
      status: expected,
      finishedAt: at('2026-03-02T11:20:30+01:00'),
    });
  });

  it.each(['unheard-of', 'constructor'])('%s is ignored', status => {
    expect(map({ ...deployment, status }).ignored).toContain(
      `became ${status}, which is not a result`,
    );
  });

  it('is determined by the name, otherwise by the tier', () => {
    const environment = (name: string, tier: string | null) =>
      eventsOf(
        map({ ...deployment, environment: name, environment_tier: tier }),
      )[0];
    expect(environment('QA', 'development')).toMatchObject({
      environment: 'QA',
    });
    expect(environment('review/fix', 'development')).toMatchObject({
      environment: 'dev',
    });
    expect(environment('Review/Fix', 'other')).toMatchObject({
      environment: 'Review/Fix',
    });
    expect(environment('production', null)).toMatchObject({
      environment: 'production',
    });
    expect(environment('Review/Fix', 'constructor')).toMatchObject({
      environment: 'Review/Fix',
    });
  });

  it('keeps the short SHA if there is no address of the commit', () => {
    expect(eventsOf(map({ ...deployment, commit_url: null }))[0]).toMatchObject(
      { commit: { sha: 'a94b7c1d' } },
    );
  });

  it('names the field that is not a time', () => {
    expect(map({ ...deployment, status_changed_at: 'soon' }).items).toEqual([
      {
        error: 'status_changed_at: soon is not a time',
        field: 'status_changed_at',
      },
    ]);
  });
});

describe('release', () => {
  it('is ignored, or a deployment of the commit that it names', () => {
    expect(map(release).ignored).toContain(
      'deliveryLake.webhooks.gitlab.releases is ignore',
    );
    expect(eventsOf(map(release, { releases: 'deployments' }))).toEqual([
      expect.objectContaining({
        kind: 'deployment',
        externalId: 'release-61',
        environment: 'prod',
        status: 'SUCCESS',
        version: 'v1.4.0',
        finishedAt: at('2026-03-03T08:00:05Z'),
        commit: expect.objectContaining({
          sha: MERGE,
          committedAt: at('2026-03-02T10:05:00+01:00'),
        }),
      }),
    ]);
  });
});

describe('issue', () => {
  it('with the label is an incident', () => {
    expect(eventsOf(map(issue))).toEqual([
      {
        kind: 'incident',
        source: 'gitlab',
        externalId: 'shop/backend/cart#17',
        occurredAt: at('2026-03-02T11:41:00Z'),
        service: 'shop/backend/cart',
        title: 'Totals are off by a cent',
        severity: 'sev2',
        startedAt: at('2026-03-02T11:40:00Z'),
        resolvedAt: null,
        deployment: { sha: MERGE },
        url: 'https://gitlab.example.org/shop/backend/cart/-/issues/17',
      },
    ]);
  });

  it('of the type incident is one without any label', () => {
    expect(eventsOf(map(incident))[0]).toMatchObject({
      externalId: 'shop/backend/cart#18',
      severity: 'critical',
      resolvedAt: at('2026-03-02T13:00:09Z'),
      deployment: null,
    });
  });

  it('that lost the label is removed', () => {
    const unlabelled = {
      ...issue,
      labels: [],
      object_attributes: { ...issue.object_attributes, labels: [] },
      changes: { labels: { previous: issue.labels, current: [] } },
    };
    expect(eventsOf(map(unlabelled))[0]).toMatchObject({ deleted: true });
    expect(map({ ...unlabelled, changes: {} }).ignored).toContain(
      'has no label that makes it an incident',
    );
  });
});
