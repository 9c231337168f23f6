import created from '../__fixtures__/jira/issue.json';
import { at, eventsOf, mapPayload } from '../__testUtils__/mapping';
import { foldIncident } from '../../events/foldRecords';
import { digestEvent, IncidentEvent } from '../../events/LakeEvent';
import { jira } from './jira';

const SITE = 'acme.atlassian.net';

/** Returns an event about the issue of the example. */
function event(options: {
  type?: 'created' | 'updated' | 'deleted';
  at?: string;
  fields?: object;
  issue?: object;
  changes?: object[];
}) {
  return {
    ...created,
    webhookEvent: `jira:issue_${options.type ?? 'updated'}`,
    timestamp: at(options.at ?? '2026-03-05T10:30:00Z'),
    issue: {
      ...created.issue,
      ...options.issue,
      fields: { ...created.issue.fields, ...options.fields },
    },
    changelog: { id: '1', items: options.changes ?? [] },
  };
}

function map(
  body: object,
  more: { context?: Record<string, string>; settings?: object } = {},
) {
  return mapPayload({
    channel: 'jira',
    type: 'hook',
    body,
    context: more.context,
    webhooks: { jira: { ...more.settings } },
  });
}

const inCategory = (key: string) => ({ status: { statusCategory: { key } } });

const done = {
  ...inCategory('done'),
  resolutiondate: '2026-03-05T12:00:00.000+0100',
};

it('is an incident from its creation, if its type says so', () => {
  expect(eventsOf(map(created))).toEqual([
    {
      kind: 'incident',
      source: 'jira',
      externalId: 'acme.atlassian.net#10482',
      occurredAt: 1772706003512,
      service: 'jira:SHOP',
      title: 'Cart answers 503',
      severity: 'highest',
      startedAt: at('2026-03-05T10:20:03.480Z'),
      resolvedAt: null,
      deployment: null,
      url: 'https://acme.atlassian.net/browse/SHOP-73',
    },
  ]);
});

it.each([
  ['[System] Incident', {}],
  ['incident', {}],
  ['Bug', { issueTypes: ['BUG'] }],
])('is an incident of the type %s with %j', (name, settings) => {
  const body = event({ fields: { issuetype: { name } } });
  expect(eventsOf(map(body, { settings }))).toHaveLength(1);
});

it('is an incident by a label, and no incident without either', () => {
  const issuetype = { name: 'Task' };
  const labelled = event({ fields: { issuetype, labels: ['Incident'] } });
  expect(eventsOf(map(labelled))).toHaveLength(1);
  expect(map(event({ fields: { issuetype } })).ignored).toBe(
    'SHOP-73 is no incident: its type is Task (not incident, [system] incident), and it has no label incident',
  );
});

it('ends when it is done, and is open again when it is reopened', () => {
  const [ended] = eventsOf(map(event({ fields: done })));
  expect(ended).toMatchObject({ resolvedAt: at('2026-03-05T11:00:00Z') });
  const reopened = event({
    at: '2026-03-05T12:00:00Z',
    // A workflow may leave the resolution.
    fields: { ...done, ...inCategory('indeterminate') },
  });
  expect(eventsOf(map(reopened))[0]).toMatchObject({ resolvedAt: null });
});

it('ends when its status changed, if its workflow sets no resolution', () => {
  const fields = {
    ...inCategory('done'),
    statuscategorychangedate: '2026-03-05T12:15:00.000+0100',
  };
  expect(eventsOf(map(event({ fields })))[0]).toMatchObject({
    resolvedAt: at('2026-03-05T11:15:00Z'),
  });
});

it('ends once, however it is edited later, if Jira does not say when its status changed', () => {
  const closed = {
    ...inCategory('done'),
    statuscategorychangedate: undefined,
  };
  const closing = event({
    at: '2026-03-05T11:15:00Z',
    fields: { ...closed, updated: '2026-03-05T12:15:00.000+0100' },
    changes: [{ field: 'status', fromString: 'To Do' }],
  });
  const edited = event({
    at: '2026-03-09T08:00:00Z',
    fields: { ...closed, updated: '2026-03-09T09:00:00.000+0100' },
    changes: [{ field: 'summary', fromString: 'Cart is down' }],
  });
  const record = foldIncident(
    [created, closing, edited]
      .flatMap(body => eventsOf(map(body)))
      .map(each => digestEvent(each as IncidentEvent)),
  );
  expect(record).toMatchObject({ resolvedAt: at('2026-03-05T11:15:00Z') });
});

it('is removed when it is deleted, or is no incident any more', () => {
  const deleted = event({ type: 'deleted', at: '2026-03-06T09:00:00Z' });
  const removal = {
    kind: 'incident',
    source: 'jira',
    externalId: 'acme.atlassian.net#10482',
    occurredAt: at('2026-03-06T09:00:00Z'),
    deleted: true,
  };
  expect(eventsOf(map(deleted))).toEqual([removal]);
  const issuetype = { name: 'Task' };
  const retyped = event({
    at: '2026-03-06T09:00:00Z',
    fields: { issuetype },
    changes: [{ field: 'issuetype', fromString: 'Incident', toString: 'Task' }],
  });
  expect(eventsOf(map(retyped))).toEqual([removal]);
  const unlabelled = event({
    at: '2026-03-06T09:00:00Z',
    fields: { issuetype },
    changes: [{ field: 'labels', fromString: 'payments incident' }],
  });
  expect(eventsOf(map(unlabelled))).toEqual([removal]);
  expect(map(event({ type: 'deleted', fields: { issuetype } })).items).toEqual(
    [],
  );
});

it('stays the same incident when it is moved to another project', () => {
  const moved = event({
    issue: { key: 'PAY-9' },
    fields: { project: { key: 'PAY' } },
  });
  const record = foldIncident(
    [created, moved]
      .flatMap(body => eventsOf(map(body)))
      .map(each => digestEvent(each as IncidentEvent)),
  );
  expect(record).toMatchObject({
    externalId: 'acme.atlassian.net#10482',
    service: 'jira:PAY',
    url: 'https://acme.atlassian.net/browse/PAY-9',
  });
});

it('takes its severity from a label before its priority', () => {
  const body = event({ fields: { labels: ['sev2'] } });
  expect(eventsOf(map(body))[0]).toMatchObject({ severity: 'sev2' });
  const none = event({ fields: { priority: null } });
  expect(eventsOf(map(none))[0]).toMatchObject({ severity: undefined });
});

it('links to deployments of its own component', () => {
  const sha = 'a'.repeat(40);
  const description = `Customers cannot pay.\r\n*Caused by:* ${sha}`;
  expect(eventsOf(map(event({ fields: { description } })))[0]).toMatchObject({
    deployment: { sha, isOwn: true },
  });
  // Jira's document format.
  const document = event({ fields: { description: { type: 'doc' } } });
  expect(eventsOf(map(document))[0]).toMatchObject({ deployment: null });
});

it('finds the page of an issue below a context path', () => {
  const self = 'https://tools.example.org:8443/jira/rest/api/2/issue/10482';
  expect(eventsOf(map(event({ issue: { self } })))[0]).toMatchObject({
    externalId: 'tools.example.org:8443#10482',
    url: 'https://tools.example.org:8443/jira/browse/SHOP-73',
  });
});

it('ignores other events, and those of other sites at a connection', () => {
  expect(map({ webhookEvent: 'comment_created' }).ignored).toBe(
    'The lake ignores comment_created events of Jira',
  );
  expect(
    eventsOf(map(created, { context: { repository: SITE } })),
  ).toHaveLength(1);
  expect(
    map(created, { context: { repository: 'other.atlassian.net' } }).ignored,
  ).toBe(
    'The delivery is about acme.atlassian.net; this connection is for other.atlassian.net',
  );
});

it('names the invalid field', () => {
  const { summary: _, ...fields } = created.issue.fields;
  expect(
    map({ ...created, issue: { ...created.issue, fields } }).items,
  ).toEqual([
    {
      error: 'issue.fields.summary is required',
      field: 'issue.fields.summary',
    },
  ]);
});

it('names components before labels, and the project after them', () => {
  expect(jira.serviceNamesOf(created)).toEqual([
    'jira:SHOP/Cart',
    'jira:SHOP#payments',
    'jira:SHOP',
    'Cart',
  ]);
  expect(jira.serviceNamesOf({})).toEqual([]);
});
