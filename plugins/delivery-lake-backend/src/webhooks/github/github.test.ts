import definitions from '@octokit/webhooks-examples';
import { at, eventsOf, mapPayload } from '../__testUtils__/mapping';

/** As much of GitHub's own examples as tests change. */
interface Payload {
  action?: string;
  repository: { default_branch: string; pushed_at?: unknown };
  issue?: { labels: { name: string }[]; body: string | null };
  [field: string]: unknown;
}

/** A copy of an example that GitHub's users recorded. */
function example(name: string, matches: (payload: Payload) => boolean) {
  const found = definitions
    .filter(definition => definition.name === name)
    .flatMap(definition => definition.examples as unknown as Payload[])
    .find(matches);
  if (!found) {
    throw new Error(`No example of ${name}`);
  }
  return structuredClone(found);
}

function map(type: string, body: unknown, github = {}) {
  return mapPayload({ channel: 'github', type, body, webhooks: { github } });
}

const SHA = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e';
const INCIDENT = { incidentLabels: ['Bug'] };

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

  it('keeps the order of commits, and merge commits among them', () => {
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

  it('brings nothing to another branch, as a tag, or without commits', () => {
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

  it('takes the newest commit for the time of a push that does not say it', () => {
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

  it('that was merged is the change it left', () => {
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

  it('that was not merged, or into another branch, is none', () => {
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

describe('deployment', () => {
  it('is pending from its creation', () => {
    const payload = example('deployment', () => true);
    expect(eventsOf(map('deployment', payload))).toEqual([
      {
        kind: 'deployment',
        source: 'github',
        externalId: '145988746',
        occurredAt: at('2019-05-15T15:20:53Z'),
        service: 'Codertocat/Hello-World',
        environment: 'production',
        status: 'PENDING',
        startedAt: at('2019-05-15T15:20:53Z'),
        version: 'master',
        triggeredBy: 'Codertocat',
        repository: 'Codertocat/Hello-World',
        commit: { sha: SHA },
      },
    ]);
  });
});

describe('deployment_status', () => {
  function status(state: string, deployment: object = {}) {
    const payload = example(
      'deployment_status',
      ({ deployment_status: it }) =>
        (it as { state: string }).state === 'success',
    );
    Object.assign(payload.deployment_status as object, {
      state,
      created_at: '2019-05-15T15:24:55Z',
      updated_at: '2019-06-01T00:00:00Z',
      log_url: 'https://github.com/Codertocat/Hello-World/actions/runs/1',
    });
    Object.assign(payload.deployment as object, deployment);
    return map('deployment_status', payload);
  }

  it('that succeeded finished when the status was made, not when it was last touched', () => {
    expect(eventsOf(status('success'))).toEqual([
      {
        kind: 'deployment',
        source: 'github',
        externalId: '145988746',
        occurredAt: at('2019-05-15T15:24:55Z'),
        service: 'Codertocat/Hello-World',
        environment: 'production',
        status: 'SUCCESS',
        startedAt: at('2019-05-15T15:20:53Z'),
        finishedAt: at('2019-05-15T15:24:55Z'),
        version: 'master',
        triggeredBy: 'Codertocat',
        repository: 'Codertocat/Hello-World',
        commit: { sha: SHA },
        url: 'https://github.com/Codertocat/Hello-World/actions/runs/1',
      },
    ]);
  });

  it.each([
    ['queued', 'PENDING', false],
    ['pending', 'PENDING', false],
    ['in_progress', 'IN_PROGRESS', false],
    ['failure', 'FAILURE', true],
    ['error', 'FAILURE', true],
  ])('%s is %s', (state, expected, finished) => {
    const [event] = eventsOf(status(state));
    expect(event).toMatchObject({ status: expected });
    expect('finishedAt' in event && event.finishedAt !== undefined).toBe(
      finished,
    );
  });

  it('a state that is none of GitHub says nothing', () => {
    expect(status('constructor').items).toEqual([]);
  });

  it('inactive says nothing: a later deployment took its place', () => {
    expect(status('inactive')).toEqual({
      items: [],
      ignored:
        'Deployment 145988746 became inactive, which says nothing of how it went',
    });
  });

  it('believes the flag of a production environment, and else the name', () => {
    const environment = (deployment: object) =>
      eventsOf(status('success', deployment))[0];
    expect(
      environment({ environment: 'eu-1', production_environment: true }),
    ).toMatchObject({ environment: 'prod' });
    expect(
      environment({ environment: 'Staging', production_environment: false }),
    ).toMatchObject({ environment: 'Staging' });
    expect(environment({ environment: 'Review/12' })).toMatchObject({
      environment: 'Review/12',
    });
  });

  it('takes service and version from the payload, as an object or as JSON', () => {
    expect(
      eventsOf(
        status('success', { payload: { service: 'cart', version: '1.4.0' } }),
      )[0],
    ).toMatchObject({ service: 'cart', version: '1.4.0' });
    expect(
      eventsOf(status('success', { payload: '{"component":"billing"}' }))[0],
    ).toMatchObject({ service: 'billing', version: 'master' });
    expect(
      eventsOf(status('success', { payload: { service: 12 } }))[0],
    ).toMatchObject({ service: 'Codertocat/Hello-World' });
    expect(
      eventsOf(status('success', { payload: 'by hand' }))[0],
    ).toMatchObject({ service: 'Codertocat/Hello-World' });
  });
});

describe('release', () => {
  const published = (changes: object = {}) => {
    const payload = example('release', ({ action }) => action === 'published');
    Object.assign(payload.release as object, changes);
    return payload;
  };
  const DEPLOYS = { releases: 'deployments' };

  it('is ignored unless configuration says otherwise', () => {
    expect(map('release', published()).ignored).toBe(
      'Release 0.0.1 is no deployment: deliveryLake.webhooks.github.releases is ignore',
    );
  });

  it('is a production deployment, of no commit where only a branch is named', () => {
    expect(eventsOf(map('release', published(), DEPLOYS))).toEqual([
      expect.objectContaining({
        externalId: 'release-17372790',
        environment: 'prod',
        status: 'SUCCESS',
        finishedAt: at('2019-05-15T15:20:53Z'),
        version: '0.0.1',
        commit: undefined,
      }),
    ]);
    expect(
      eventsOf(
        map('release', published({ target_commitish: SHA }), DEPLOYS),
      )[0],
    ).toMatchObject({ commit: { sha: SHA } });
  });

  it('is none as a draft, a pre-release or anything but published', () => {
    expect(map('release', published({ draft: true }), DEPLOYS).ignored).toBe(
      'Release 0.0.1 is a draft',
    );
    expect(
      map('release', published({ prerelease: true }), DEPLOYS).ignored,
    ).toBe('Release 0.0.1 is a pre-release');
    const created = example('release', ({ action }) => action === 'created');
    expect(map('release', created, DEPLOYS).items).toEqual([]);
  });
});

describe('issues', () => {
  const issue = (action: string, changes: object = {}) => {
    const payload = example('issues', candidate => candidate.action === action);
    Object.assign(payload.issue as object, changes);
    return payload;
  };

  it('with the label is an incident from its opening', () => {
    const payload = issue('labeled', {
      body: `It broke.\n\nCaused by: ${SHA}\n`,
    });
    payload.issue?.labels.push({ name: 'Severity::1' });
    expect(eventsOf(map('issues', payload, INCIDENT))).toEqual([
      {
        kind: 'incident',
        source: 'github',
        externalId: 'Codertocat/Hello-World#1',
        occurredAt: at('2019-05-15T15:20:18Z'),
        service: 'Codertocat/Hello-World',
        title: 'Spelling error in the README file',
        severity: 'sev1',
        startedAt: at('2019-05-15T15:20:18Z'),
        resolvedAt: null,
        deployment: { sha: SHA },
        url: 'https://github.com/Codertocat/Hello-World/issues/1',
      },
    ]);
  });

  it('is resolved when it is closed, and open again when it is reopened', () => {
    const closed = issue('edited', {
      state: 'closed',
      closed_at: '2019-05-15T18:00:00Z',
      updated_at: '2019-05-15T18:00:00Z',
    });
    expect(eventsOf(map('issues', closed, INCIDENT))[0]).toMatchObject({
      resolvedAt: at('2019-05-15T18:00:00Z'),
    });
    expect(
      eventsOf(
        map('issues', issue('reopened', { state: 'open' }), INCIDENT),
      )[0],
    ).toMatchObject({ resolvedAt: null });
  });

  it('is none any more without the label, and none at all that never had it', () => {
    expect(eventsOf(map('issues', issue('unlabeled'), INCIDENT))).toEqual([
      {
        kind: 'incident',
        source: 'github',
        externalId: 'Codertocat/Hello-World#1',
        occurredAt: at('2019-05-15T15:20:26Z'),
        deleted: true,
      },
    ]);
    expect(map('issues', issue('unlabeled')).ignored).toBe(
      'Issue Codertocat/Hello-World#1 has no label that makes it an incident (incident)',
    );
    expect(
      eventsOf(map('issues', issue('deleted'), INCIDENT))[0],
    ).toMatchObject({ deleted: true });
  });
});

it('reads every example of every event without failing', () => {
  for (const { name, examples } of definitions) {
    for (const payload of examples) {
      const { items, ignored } = map(name, payload, {
        releases: 'deployments',
        ...INCIDENT,
      });
      expect(items.filter(item => 'error' in item)).toEqual([]);
      expect(items.length > 0 || ignored !== undefined).toBe(true);
    }
  }
});

it('says which events it has no use for', () => {
  expect(
    map('ping', { zen: 'Anything added dilutes everything else.' }).items,
  ).toEqual([]);
  expect(map('watch', {}).ignored).toBe(
    'The lake has no use for watch events of GitHub',
  );
  expect(map('constructor', {}).items).toEqual([]);
});
