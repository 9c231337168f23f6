import { cdEvent, cloudEvent } from '../__testUtils__/cdEvents';
import { at, eventsOf, mapPayload } from '../__testUtils__/mapping';
import { artifactFacts } from './purl';

const SHA = 'a94b7c1d2e3f405162738495a6b7c8d9e0f10213';
const OCI = `pkg:oci/cart@sha256%3A${'0b'.repeat(32)}`;
const LAKE_ID = 'deploy-0199c0de-0000-7000-8000-000000000000';
const NOW = at('2026-03-06T09:00:00.500Z');

function map(options: Parameters<typeof cdEvent>[0]) {
  return mapPayload({
    channel: 'cloudevents',
    type: options.type,
    body: cloudEvent(cdEvent(options)),
  });
}

const DEPLOYED = 'dev.cdevents.service.deployed.0.3.0';
const deployed = {
  type: DEPLOYED,
  content: { environment: { id: 'production' }, artifactId: OCI },
};

describe('service', () => {
  it('deployed is a deployment that succeeded', () => {
    expect(eventsOf(map(deployed))).toEqual([
      {
        kind: 'deployment',
        source: '/ci/shop',
        externalId: 'e-1',
        occurredAt: NOW,
        service: 'cart',
        environment: 'production',
        status: 'SUCCESS',
        startedAt: NOW,
        finishedAt: NOW,
        version: `sha256:${'0b'.repeat(32)}`,
      },
    ]);
  });

  it('of an earlier version of the specification is read as well', () => {
    const early = {
      type: 'dev.cdevents.service.upgraded.0.1.1',
      content: deployed.content,
      context: { specversion: undefined, version: '0.3.0' },
      subject: { type: 'service' },
    };
    expect(eventsOf(map(early))[0]).toMatchObject({ service: 'cart' });
  });

  it('can contain times, commit and author in customData', () => {
    const customData = {
      deploymentId: 88,
      startedAt: '2026-03-06T08:50:00Z',
      version: '1.4.0',
      repository: 'shop/cart',
      sha: SHA,
      changes: [SHA],
      triggeredBy: 'grace',
      unplanned: true,
      severity: 7,
    };
    expect(eventsOf(map({ ...deployed, customData }))[0]).toMatchObject({
      externalId: '88',
      startedAt: at('2026-03-06T08:50:00Z'),
      version: '1.4.0',
      repository: 'shop/cart',
      commit: { sha: SHA },
      changes: [SHA],
      triggeredBy: 'grace',
      unplanned: true,
    });
    expect(
      eventsOf(map({ ...deployed, customData: 'aGVsbG8=' }))[0],
    ).toMatchObject({ externalId: 'e-1' });
  });

  it('rolled back rolls back the one before, or the one it names', () => {
    const rolledback = {
      ...deployed,
      type: 'dev.cdevents.service.rolledback.0.3.0',
    };
    expect(eventsOf(map(rolledback))[0]).toMatchObject({ rollbackOf: true });
    expect(
      eventsOf(map({ ...rolledback, customData: { rollbackOf: 'e-0' } }))[0],
    ).toMatchObject({ rollbackOf: 'e-0' });
  });

  it('is no deployment when it is removed or published', () => {
    expect(
      map({ ...deployed, type: 'dev.cdevents.service.published.0.3.0' })
        .ignored,
    ).toContain('dev.cdevents.service.published.0.3.0');
  });

  it('names the field that is missing', () => {
    expect(map({ type: DEPLOYED, content: {} }).items).toEqual([
      {
        error: 'subject.content.environment.id is required',
        field: 'subject.content.environment.id',
      },
    ]);
    expect(
      map({ ...deployed, context: { timestamp: undefined } }).items,
    ).toEqual([
      {
        error: 'context.timestamp is required',
        field: 'context.timestamp',
      },
    ]);
    expect(
      mapPayload({
        channel: 'cloudevents',
        type: DEPLOYED,
        body: { ...cloudEvent(cdEvent(deployed)), data: undefined },
      }).items,
    ).toEqual([{ error: 'The body is not a JSON object' }]);
  });
});

describe('incident', () => {
  const incident = (predicate: string, more: object = {}) => ({
    type: `dev.cdevents.incident.${predicate}.0.3.0`,
    source: '/monitoring',
    subject: { id: 'incident-123' },
    content: {
      description: 'Slow answers',
      environment: { id: 'live' },
      service: { id: 'cart' },
      artifactId: OCI,
    },
    ...more,
  });

  it('detected begins then', () => {
    expect(eventsOf(map(incident('detected')))).toEqual([
      {
        kind: 'incident',
        source: '/monitoring',
        externalId: 'incident-123',
        occurredAt: NOW,
        service: 'cart',
        environment: 'live',
        title: 'Slow answers',
        startedAt: NOW,
        resolvedAt: null,
      },
    ]);
  });

  it('reported does not set the start', () => {
    const [event] = eventsOf(
      map(
        incident('reported', {
          content: {
            environment: { id: 'live' },
            ticketURI: 'https://tickets.example.org/345',
          },
          customData: { severity: 'High' },
        }),
      ),
    );
    expect(event).toMatchObject({
      url: 'https://tickets.example.org/345',
      severity: 'high',
    });
    expect(event).not.toHaveProperty('startedAt', expect.anything());
    expect(event).not.toHaveProperty('resolvedAt', expect.anything());
  });

  it('resolved ends then, and leaves title and link alone', () => {
    const [event] = eventsOf(
      map(incident('resolved', { customData: { sha: SHA } })),
    );
    expect(event).toMatchObject({ resolvedAt: NOW });
    expect(event).not.toHaveProperty('title');
    expect(event).not.toHaveProperty('deployment');
  });

  it.each([
    [{ customData: { deployment: LAKE_ID } }, { id: LAKE_ID }],
    // The id of another system that has the same prefix as the lake's.
    [
      { customData: { deployment: 'deploy-42' } },
      { source: '/monitoring', externalId: 'deploy-42' },
    ],
    [
      { customData: { deployment: 88 } },
      { source: '/monitoring', externalId: '88' },
    ],
    [
      { customData: { deployment: { source: 'jenkins', id: 'cart#7' } } },
      { source: 'jenkins', externalId: 'cart#7' },
    ],
    [{ customData: { sha: SHA } }, { sha: SHA }],
    [
      {
        context: {
          links: [
            { linkType: 'PATH', from: { contextId: 'e-0' } },
            { linkType: 'RELATION', target: { contextId: 'e-1' } },
          ],
        },
      },
      { source: '/monitoring', externalId: 'e-1' },
    ],
    [
      {
        content: {
          environment: { id: 'live' },
          artifactId: `pkg:github/shop/cart@${SHA}`,
        },
      },
      { sha: SHA },
    ],
  ])('links to its deployment (%#)', (more, link) => {
    expect(eventsOf(map(incident('detected', more)))[0]).toMatchObject({
      deployment: link,
    });
  });
});

describe('a run', () => {
  const run = (outcome: string, customData?: object) => ({
    type: 'dev.cdevents.pipelinerun.finished.0.3.0',
    subject: { id: 'run-9' },
    content: { outcome, uri: 'https://ci.example.org/run-9' },
    customData,
  });
  const NAMED = { service: 'cart', environment: 'prod' };

  it('that failed is a failed deployment, if it names a service', () => {
    expect(eventsOf(map(run('failure', NAMED)))[0]).toMatchObject({
      kind: 'deployment',
      externalId: 'run-9',
      service: 'cart',
      environment: 'prod',
      status: 'FAILURE',
      url: 'https://ci.example.org/run-9',
    });
    expect(map(run('error')).ignored).toContain('service and environment');
  });

  it('that succeeded is reported by its service', () => {
    expect(map(run('success', NAMED)).ignored).toContain('service.deployed');
  });
});

describe('artifactFacts', () => {
  it.each([
    [
      `pkg:oci/cart@sha256%3Aabc?tag=1.4.0&vcs_url=git%2Bhttps://forge.example.org/shop/cart.git%40${SHA}`,
      { version: '1.4.0', repository: 'shop/cart', sha: SHA },
    ],
    [
      `pkg:github/shop/cart@${SHA}`,
      { version: SHA, repository: 'shop/cart', sha: SHA },
    ],
    ['pkg:npm/%40shop/cart@1.4.0', { version: '1.4.0' }],
    ['pkg:golang/forge.example.org/shop/cart', {}],
    ['cart-1.4.0.tar.gz', {}],
    [undefined, {}],
  ])('reads %s', (purl, facts) => {
    expect(artifactFacts(purl)).toEqual(facts);
  });
});

it('ignores other CloudEvents', () => {
  expect(
    mapPayload({ channel: 'cloudevents', type: 'com.example.order', body: {} })
      .ignored,
  ).toBe('The lake ignores events of type com.example.order');
});
