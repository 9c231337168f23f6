import { at, eventsOf } from '../__testUtils__/mapping';
import { example, map, SHA } from './__testUtils__/examples';

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

  it('an unknown state is ignored', () => {
    expect(status('constructor').items).toEqual([]);
  });

  it('inactive is ignored: a later deployment replaced it', () => {
    expect(status('inactive')).toEqual({
      items: [],
      ignored: 'Deployment 145988746 became inactive, which is not a result',
    });
  });

  it('trusts the flag of a production environment, and otherwise the name', () => {
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

  it('reads service and version from the payload, as an object or as JSON', () => {
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

  it('is ignored by default', () => {
    expect(map('release', published()).ignored).toBe(
      'Release 0.0.1 is not a deployment: deliveryLake.webhooks.github.releases is ignore',
    );
  });

  it('is a production deployment, without a commit if it names only a branch', () => {
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

  it('is no deployment as a draft, a pre-release or with another action than published', () => {
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
