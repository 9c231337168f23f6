import { pagerdutyService } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import {
  accepting,
  DeliveryMapper,
  hostOf,
  ignoring,
  optionalText,
  readPayload,
  timestamp,
  TrackerReader,
} from '../payload';

const envelopeSchema = z.object({
  event: z.object({
    event_type: z.string().min(1),
    data: z.object({ type: z.string() }),
  }),
});

const incidentSchema = z.object({
  event: z.object({
    event_type: z.string(),
    occurred_at: timestamp,
    data: z.object({
      id: z.string().min(1),
      html_url: z.string(),
      status: z.enum(['triggered', 'acknowledged', 'resolved']),
      title: z.string(),
      created_at: timestamp,
      resolved_at: timestamp.nullish(),
      service: z.object({ id: z.string().min(1), summary: optionalText }),
      priority: z.object({ summary: optionalText }).nullish(),
      urgency: optionalText,
    }),
  }),
});

type IncidentEvent = z.output<typeof incidentSchema>['event'];

/** The event that PagerDuty sends when an admin tests a webhook. */
const TEST = 'pagey.ping';

/**
 * Returns when an incident was resolved: null while it is open, undefined if this event does not
 * say. An incident that is merged into another is resolved, and its alerts continue there.
 */
function resolutionOf({
  event_type: type,
  occurred_at: at,
  data,
}: IncidentEvent): number | null | undefined {
  if (data.status !== 'resolved') {
    return null;
  }
  // Other events of a resolved incident, such as a new priority, happen after the resolution.
  return data.resolved_at ?? (type === 'incident.resolved' ? at : undefined);
}

/** Maps an incident: https://developer.pagerduty.com/docs/webhooks-overview#incident */
const map: DeliveryMapper = ({ source, body, service }) => {
  const { event_type: type, data } = readPayload(envelopeSchema, body).event;
  if (type === TEST) {
    return ignoring('PagerDuty sent a test event');
  }
  if (data.type !== 'incident') {
    return ignoring(`The lake ignores ${type} events of PagerDuty`);
  }
  const { event } = readPayload(incidentSchema, body);
  const incident = event.data;
  return accepting({
    kind: 'incident',
    source,
    externalId: `${hostOf(incident.html_url) ?? 'pagerduty.com'}#${incident.id}`,
    occurredAt: event.occurred_at,
    service: service ?? pagerdutyService(incident.service.id),
    title: incident.title,
    severity: (
      incident.priority?.summary ?? incident.urgency
    )?.toLocaleLowerCase('en-US'),
    startedAt: incident.created_at,
    resolvedAt: resolutionOf(event),
    url: incident.html_url,
  });
};

/** Reads webhooks of PagerDuty, version 3. */
export const pagerduty: TrackerReader = {
  map,
  eventOf: body => envelopeSchema.safeParse(body).data?.event.event_type,
  accountOf(body) {
    const { data } = incidentSchema.safeParse(body);
    return data && hostOf(data.event.data.html_url);
  },
  startOf: body => incidentSchema.safeParse(body).data?.event.data.created_at,
  serviceNamesOf(body) {
    const service = incidentSchema.safeParse(body).data?.event.data.service;
    return service
      ? [pagerdutyService(service.id), service.summary ?? ''].filter(Boolean)
      : [];
  },
};
