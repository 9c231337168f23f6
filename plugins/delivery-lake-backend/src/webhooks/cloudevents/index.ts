import { z } from 'zod';
import { DeliveryLakeConfig } from '../../config';
import { ignoring, MappedDelivery, meaning } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { CdEvent, cdEventSchema } from './cdEvent';
import { mapIncident } from './incident';
import { mapRun } from './run';
import { mapService } from './service';

interface ReadEvent {
  event: CdEvent;
  config: DeliveryLakeConfig;
}

const MAPPERS: Readonly<Record<string, (read: ReadEvent) => MappedDelivery>> = {
  'service.deployed': read => meaning(mapService({ ...read, rollback: false })),
  'service.upgraded': read => meaning(mapService({ ...read, rollback: false })),
  'service.rolledback': read =>
    meaning(mapService({ ...read, rollback: true })),
  'incident.detected': read =>
    meaning(mapIncident({ ...read, predicate: 'detected' })),
  'incident.reported': read =>
    meaning(mapIncident({ ...read, predicate: 'reported' })),
  'incident.resolved': read =>
    meaning(mapIncident({ ...read, predicate: 'resolved' })),
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
  config: DeliveryLakeConfig;
}): MappedDelivery {
  const { type, body, config } = delivery;
  const kind = CDEVENT_TYPE.exec(type)?.[1];
  if (!kind || !Object.hasOwn(MAPPERS, kind)) {
    return ignoring(`The lake has no use for events of type ${type}`);
  }
  const { data } = readPayload(envelope, body);
  return MAPPERS[kind]({ event: readPayload(cdEventSchema, data), config });
}
