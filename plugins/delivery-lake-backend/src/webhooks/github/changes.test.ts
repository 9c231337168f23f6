import { at, eventsOf } from '../__testUtils__/mapping';
import { example, map, SHA } from './__testUtils__/examples';

describe('push', () => {
  const push = () => example('push', ({ ref }) => ref === 'refs/heads/master');

  it('is a change per commit, landed when it was pushed', () => {
    expect(eventsOf(map('push', push()))).toEqual([
      {
        kind: 'change',
        source: 'github',
        externalId: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
        occurredAt: 1557933657_000,
        repository: 'Codertocat/Hello-World',
        sha: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
        message: 'Initial commit',
        author: 'Codertocat',
        committedAt: at('2019-05-15T15:19:25Z'),
        landedAt: 1557933657_000,
        sequence: 0,
        url: 'https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      },
    ]);
  });

  it('keeps the order of commits, including merge commits', () => {
    const payload = push();
    const [first] = payload.commits as { id: string }[];
    payload.after = SHA;
    payload.commits = [
      first,
      { ...first, id: SHA, message: 'Merge pull request #2' },
    ];
    expect(
      eventsOf(map('push', payload)).map(event => [
        event.externalId,
        'sequence' in event && event.sequence,
      ]),
    ).toEqual([
      [first.id, 0],
      [SHA, 1],
    ]);
  });

  it('creates no changes on another branch, for a tag, or without commits', () => {
    const other = push();
    other.repository.default_branch = 'trunk';
    expect(map('push', other)).toEqual({
      items: [],
      ignored:
        'A push to master; Codertocat/Hello-World is deployed from trunk',
    });
    const tag = example('push', ({ ref }) =>
      String(ref).startsWith('refs/tags'),
    );
    expect(map('push', tag).ignored).toContain('refs/tags/simple-tag');
    expect(map('push', { ...push(), commits: [] }).ignored).toBe(
      'A push without commits',
    );
  });

  it('uses the time of the newest commit for a push without a time', () => {
    const payload = push();
    delete payload.repository.pushed_at;
    expect(eventsOf(map('push', payload))[0]).toMatchObject({
      landedAt: at('2019-05-15T15:19:25Z'),
    });
  });

  it('names the field of a commit without a time', () => {
    const payload = push();
    payload.commits = [{ id: SHA, message: 'x' }];
    expect(map('push', payload).items).toEqual([
      {
        error: 'commits.0.timestamp is required',
        field: 'commits.0.timestamp',
      },
    ]);
  });
});

describe('pull_request', () => {
  function closed(changes: object = {}) {
    const payload = example(
      'pull_request',
      ({ action }) => action === 'closed',
    );
    Object.assign(payload.pull_request as object, changes);
    return payload;
  }
  const merged = {
    merged: true,
    merged_at: '2019-05-15T16:00:00Z',
    merge_commit_sha: SHA,
  };

  it('is a change once it is merged', () => {
    expect(eventsOf(map('pull_request', closed(merged)))).toEqual([
      {
        kind: 'change',
        source: 'github',
        externalId: SHA,
        occurredAt: at('2019-05-15T16:00:00Z'),
        repository: 'Codertocat/Hello-World',
        sha: SHA,
        message: 'Update the README with new information.',
        author: 'Codertocat',
        landedAt: at('2019-05-15T16:00:00Z'),
        url: 'https://github.com/Codertocat/Hello-World/pull/2',
      },
    ]);
  });

  it('is no change unless it is merged into the default branch', () => {
    expect(map('pull_request', closed()).ignored).toBe(
      'Pull request 2 was closed without being merged',
    );
    expect(
      map('pull_request', closed({ ...merged, base: { ref: 'next' } })).ignored,
    ).toContain('merged into next');
    const opened = example('pull_request', ({ action }) => action === 'opened');
    expect(map('pull_request', opened).ignored).toBe(
      'Pull request 2 was opened, not merged',
    );
  });
});
