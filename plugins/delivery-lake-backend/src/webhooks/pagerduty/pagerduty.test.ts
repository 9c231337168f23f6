import incident from '../__fixtures__/pagerduty/incident.json';
import note from '../__fixtures__/pagerduty/note.json';
import ping from '../__fixtures__/pagerduty/ping.json';
import { at, eventsOf, mapPayload } from '../__testUtils__/mapping';
import { foldIncident } from '../../events/foldRecords';
import { digestEvent, IncidentEvent } from '../../events/LakeEvent';
import { pagerduty } from './pagerduty';

const ACCOUNT = 'acme.pagerduty.com';

/** Returns an event about the incident of the example. */
function event(type: string, occurredAt: string, data: object = {}) {
  return {
    event: {
      ...incident.event,
      event_type: `incident.${type}`,
      occurred_at: occurredAt,
      data: { ...incident.event.data, ...data },
    },
  };
}

function map(body: object, context?: Record<string, string>) {
  const { event_type: type } = (body as typeof ping).event;
  return mapPayload({ channel: 'pagerduty', type, body, context });
}

function fold(...bodies: object[]) {
  return foldIncident(
    bodies
      .flatMap(body => eventsOf(map(body)))
      .map(each => digestEvent(each as IncidentEvent)),
  );
}

const triggered = event('triggered', '2026-03-05T10:20:04.312Z');
const acknowledged = event('acknowledged', '2026-03-05T10:22:40.500Z', {
  status: 'acknowledged',
});
const resolved = event('resolved', '2026-03-05T11:02:10.250Z', {
  status: 'resolved',
});

it('is an incident from its creation', () => {
  expect(eventsOf(map(triggered))).toEqual([
    {
      kind: 'incident',
      source: 'pagerduty',
      externalId: 'acme.pagerduty.com#Q2K78RPC1X',
      occurredAt: at('2026-03-05T10:20:04.312Z'),
      service: 'pagerduty:PF9KMXH',
      title: 'Cart answers 503',
      severity: 'p1',
      startedAt: at('2026-03-05T10:20:03Z'),
      resolvedAt: null,
      url: 'https://acme.pagerduty.com/incidents/Q2K78RPC1X',
    },
  ]);
});

it('is about the service that was found when it was received', () => {
  const [found] = eventsOf(map(triggered, { service: 'shop/cart' }));
  expect(found).toMatchObject({ service: 'shop/cart' });
});

it('has its urgency as severity if it has no priority', () => {
  const [reported] = eventsOf(
    map(event('triggered', '2026-03-05T10:20:04Z', { priority: null })),
  );
  expect(reported).toMatchObject({ severity: 'high' });
});

it('ends when it is resolved, in whatever order its events arrive', () => {
  const ended = at('2026-03-05T11:02:10.250Z');
  expect(fold(triggered, acknowledged)).toMatchObject({ resolvedAt: null });
  expect(fold(triggered, acknowledged, resolved)).toMatchObject({
    startedAt: at('2026-03-05T10:20:03Z'),
    resolvedAt: ended,
  });
  expect(fold(resolved, triggered, acknowledged, resolved)).toMatchObject({
    resolvedAt: ended,
  });
});

it('stays resolved if something else about it changes', () => {
  const repriced = event('priority_updated', '2026-03-06T08:00:00Z', {
    status: 'resolved',
    priority: { summary: 'P2' },
  });
  expect(fold(triggered, resolved, repriced)).toMatchObject({
    resolvedAt: at('2026-03-05T11:02:10.250Z'),
    severity: 'p2',
  });
  const timed = event('priority_updated', '2026-03-06T08:00:00Z', {
    status: 'resolved',
    resolved_at: '2026-03-05T11:02:10Z',
  });
  expect(fold(timed)).toMatchObject({ resolvedAt: at('2026-03-05T11:02:10Z') });
});

it('is open again when it is reopened, and ends when it is resolved again', () => {
  const reopened = event('reopened', '2026-03-05T11:30:00Z', {
    reopened_at: '2026-03-05T11:30:00Z',
  });
  const again = event('resolved', '2026-03-05T12:00:00Z', {
    status: 'resolved',
  });
  expect(fold(triggered, resolved, reopened)).toMatchObject({
    startedAt: at('2026-03-05T10:20:03Z'),
    resolvedAt: null,
  });
  expect(fold(triggered, reopened, again, resolved)).toMatchObject({
    resolvedAt: at('2026-03-05T12:00:00Z'),
  });
});

it('ends when it is merged into another, which goes on', () => {
  const merged = event('resolved', '2026-03-05T10:40:00Z', {
    status: 'resolved',
    resolve_reason: {
      type: 'merge_resolve_reason',
      incident: { id: 'Q1OTHER', type: 'incident_reference' },
    },
  });
  expect(fold(triggered, merged)).toMatchObject({
    startedAt: at('2026-03-05T10:20:03Z'),
    resolvedAt: at('2026-03-05T10:40:00Z'),
  });
});

it('moves to another service', () => {
  const moved = event('service_updated', '2026-03-05T10:30:00Z', {
    service: { id: 'PTILL00', summary: 'Till' },
  });
  expect(fold(triggered, moved)).toMatchObject({
    service: 'pagerduty:PTILL00',
  });
});

it('ignores test events, and events that are not about an incident itself', () => {
  expect(map(ping).ignored).toBe('PagerDuty sent a test event');
  expect(map(ping, { repository: ACCOUNT }).ignored).toBe(
    'PagerDuty sent a test event',
  );
  expect(map(note)).toEqual({
    items: [],
    ignored: 'The lake ignores incident.annotated events of PagerDuty',
  });
});

it('names the invalid field', () => {
  expect(map(event('triggered', 'soon')).items).toEqual([
    {
      error: 'event.occurred_at: soon is not a time',
      field: 'event.occurred_at',
    },
  ]);
  expect(
    map(event('triggered', '2026-03-05T10:20:04Z', { status: 'lost' })).items,
  ).toMatchObject([{ field: 'event.data.status' }]);
  expect(
    mapPayload({ channel: 'pagerduty', type: 'x', body: {} }).items,
  ).toEqual([{ error: 'event is required', field: 'event' }]);
});

it('is ignored at the connection of another account', () => {
  expect(
    eventsOf(map(triggered, { repository: 'ACME.pagerduty.com' })),
  ).toHaveLength(1);
  expect(map(triggered, { repository: 'other.pagerduty.com' }).ignored).toBe(
    'The delivery is about acme.pagerduty.com; this connection is for other.pagerduty.com',
  );
});

it('names the service by its id, then by its name', () => {
  expect(pagerduty.serviceNamesOf(triggered)).toEqual([
    'pagerduty:PF9KMXH',
    'Cart API',
  ]);
  expect(pagerduty.serviceNamesOf(ping)).toEqual([]);
});
