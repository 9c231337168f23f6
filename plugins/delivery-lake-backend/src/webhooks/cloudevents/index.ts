import { z } from 'zod';
import { ignoring, MappedDelivery, meaning } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { CdEvent, cdEventSchema } from './cdEvent';
import { mapIncident } from './incident';
import { mapRun } from './run';
import { mapService } from './service';

const MAPPERS: Readonly<Record<string, (event: CdEvent) => MappedDelivery>> = {
  'service.deployed': event => meaning(mapService({ event, rollback: false })),
  'service.upgraded': event => meaning(mapService({ event, rollback: false })),
  'service.rolledback': event => meaning(mapService({ event, rollback: true })),
  'incident.detected': event =>
    meaning(mapIncident({ event, predicate: 'detected' })),
  'incident.reported': event =>
    meaning(mapIncident({ event, predicate: 'reported' })),
  'incident.resolved': event =>
    meaning(mapIncident({ event, predicate: 'resolved' })),
  'pipelinerun.finished': mapRun,
  'taskrun.finished': mapRun,
};

/** `dev.cdevents.service.deployed.0.3.0`, whatever version. */
const CDEVENT_TYPE = /^dev\.cdevents\.([a-z]+\.[a-z]+)\.\d+\.\d+\.\d+/;

const envelope = z.object({ data: z.unknown().optional() });

/**
 * Reads a CloudEvent in JSON that carries a CDEvent.
 *
 * @throws PayloadError naming the field of the CDEvent at fault.
 */
export function mapCloudEvent(delivery: {
  type: string;
  body: unknown;
}): MappedDelivery {
  const { type, body } = delivery;
  const kind = CDEVENT_TYPE.exec(type)?.[1];
  if (!kind || !Object.hasOwn(MAPPERS, kind)) {
    return ignoring(`The lake has no use for events of type ${type}`);
  }
  const { data } = readPayload(envelope, body);
  return MAPPERS[kind](readPayload(cdEventSchema, data));
}
