import { at, eventsOf, mapPayload } from '../__testUtils__/mapping';
import { readDevlakePath } from './devlake';

const FIRST = 'a'.repeat(40);
const SECOND = 'b'.repeat(40);
const RECEIVED = at('2026-03-05T12:00:00Z');

function map(path: string, body?: unknown) {
  return mapPayload({
    channel: 'devlake',
    type: 'deployments',
    body,
    context: { path, receivedAt: String(RECEIVED) },
  });
}

const commit = {
  repoUrl: 'https://forge.example.org/shop/cart.git',
  refName: 'v1.4.0',
  commitSha: FIRST,
  commitMsg: 'Round totals once',
  startedDate: '2026-03-05T10:00:00+00:00',
  finishedDate: '2026-03-05T10:05:00+00:00',
};
const deployment = {
  id: '4711',
  startedDate: '2026-03-05T10:00:00+00:00',
  finishedDate: '2026-03-05T10:10:00+00:00',
  deploymentCommits: [commit],
};
const issue = {
  url: 'https://tickets.example.org/OPS-12',
  issueKey: 'OPS-12',
  title: 'Checkout is down',
  type: 'INCIDENT',
  status: 'TODO',
  originalStatus: 'Open',
  createdDate: '2026-03-05T11:00:00+00:00',
  severity: 'Major',
};

describe('readDevlakePath', () => {
  it.each([
    ['/plugins/webhook/connections/3/deployments', '3', false, 'deployments'],
    ['/plugins/webhook/3/deployments', '3', false, 'deployments'],
    [
      '/api/rest/plugins/webhook/connections/by-name/shop%20eu/issues/',
      'shop eu',
      true,
      'issues',
    ],
    [
      '/rest/plugins/webhook/projects/shop/deployments',
      'shop',
      true,
      'deployments',
    ],
    ['/connections/3/pull_requests', '3', false, 'pull_requests'],
  ])('reads %s', (path, connection, named, kind) => {
    expect(readDevlakePath(path)).toEqual({ connection, named, kind });
  });

  it.each([
    ['/plugins/webhook/connections/3/issue/OPS-12/close'],
    ['/api/plugins/webhook/3/issue/OPS-12/close'],
    ['/plugins/webhook/3/issue/board-1/OPS-12/close'],
  ])('reads %s', path => {
    expect(readDevlakePath(path)).toEqual({
      connection: '3',
      named: false,
      kind: 'close',
      issueKey: 'OPS-12',
    });
  });

  it.each([
    ['/plugins/webhook/connections/3'],
    ['/plugins/webhook/connections/3/blueprints'],
    ['/plugins/webhook/connections/3/issue/close'],
    ['/plugins/jira/connections/%E0%A4%A/issues'],
    ['/'],
    [''],
  ])('knows no %s', path => {
    expect(readDevlakePath(path)).toBeUndefined();
  });
});

describe('deployments', () => {
  const PATH = '/plugins/webhook/connections/3/deployments';

  it('is a successful production deployment by default', () => {
    expect(eventsOf(map(PATH, deployment))).toEqual([
      {
        kind: 'deployment',
        source: 'devlake:3',
        externalId: '4711:shop/cart',
        occurredAt: at('2026-03-05T10:05:00Z'),
        service: 'shop/cart',
        environment: 'PRODUCTION',
        status: 'SUCCESS',
        startedAt: at('2026-03-05T10:00:00Z'),
        finishedAt: at('2026-03-05T10:05:00Z'),
        version: 'v1.4.0',
        repository: 'shop/cart',
        commit: { sha: FIRST, message: 'Round totals once' },
      },
    ]);
    expect(
      eventsOf(
        map(PATH, { ...deployment, result: 'FAILURE', environment: 'TESTING' }),
      )[0],
    ).toMatchObject({ status: 'FAILURE', environment: 'TESTING' });
    expect(
      eventsOf(map(PATH, { ...deployment, result: 'ABORTED' }))[0],
    ).toMatchObject({ status: 'CANCELLED' });
  });

  it('is one per repository: the one that finished last', () => {
    const body = {
      ...deployment,
      id: 4711,
      deploymentCommits: [
        { ...commit, commitSha: SECOND, finishedDate: '2026-03-05T10:09:00Z' },
        commit,
        { ...commit, repoUrl: 'git@forge.example.org:shop/billing.git' },
      ],
    };
    expect(
      eventsOf(map(PATH, body)).map(event => [
        event.externalId,
        'commit' in event && event.commit?.sha,
      ]),
    ).toEqual([
      ['4711:shop/cart', SECOND],
      ['4711:shop/billing', FIRST],
    ]);
  });

  it.each([
    [{ ...deployment, id: undefined }, 'id'],
    [{ ...deployment, startedDate: 'yesterday' }, 'startedDate'],
    [{ ...deployment, environment: 'LIVE' }, 'environment'],
    [{ ...deployment, deploymentCommits: [] }, 'deploymentCommits'],
    [
      { ...deployment, deploymentCommits: [{ ...commit, repoUrl: '' }] },
      'deploymentCommits.0.repoUrl',
    ],
  ])('names the field at fault (%#)', (body, field) => {
    expect(map(PATH, body).items).toEqual([
      { field, error: expect.stringContaining(field) },
    ]);
  });
});

describe('issues', () => {
  const PATH = '/plugins/webhook/connections/3/issues';

  it('of the type INCIDENT are incidents', () => {
    expect(eventsOf(map(PATH, issue))).toEqual([
      {
        kind: 'incident',
        source: 'devlake:3',
        externalId: 'OPS-12',
        occurredAt: at('2026-03-05T11:00:00Z'),
        service: undefined,
        title: 'Checkout is down',
        severity: 'major',
        startedAt: at('2026-03-05T11:00:00Z'),
        resolvedAt: null,
        url: 'https://tickets.example.org/OPS-12',
      },
    ]);
    expect(map(PATH, { ...issue, type: 'BUG' }).ignored).toBe(
      'Issue OPS-12 is of type BUG, not INCIDENT',
    );
  });

  it('belong to the component, or to the service of the connection', () => {
    const named = '/plugins/webhook/connections/by-name/cart/issues';
    expect(eventsOf(map(named, issue))[0]).toMatchObject({ service: 'cart' });
    expect(
      eventsOf(map(named, { ...issue, component: 'billing' }))[0],
    ).toMatchObject({ service: 'billing' });
  });

  it('are resolved when they are done', () => {
    expect(
      eventsOf(
        map(PATH, {
          ...issue,
          status: 'DONE',
          resolutionDate: '2026-03-05T11:40:00Z',
        }),
      )[0],
    ).toMatchObject({
      resolvedAt: at('2026-03-05T11:40:00Z'),
      occurredAt: at('2026-03-05T11:40:00Z'),
    });
  });

  it('are resolved when they are closed', () => {
    expect(
      eventsOf(map('/plugins/webhook/connections/3/issue/OPS-12/close')),
    ).toEqual([
      {
        kind: 'incident',
        source: 'devlake:3',
        externalId: 'OPS-12',
        occurredAt: RECEIVED,
        resolvedAt: RECEIVED,
      },
    ]);
  });
});

it('ignores pull requests', () => {
  expect(
    map('/plugins/webhook/connections/3/pull_requests', { id: '1' }).ignored,
  ).toContain('does not name its repository');
});
