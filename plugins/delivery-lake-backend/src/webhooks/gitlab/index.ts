import { z } from 'zod';
import { DeliveryMapper, ignoring } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { mapDeployment } from './deployment';
import { mapIssue } from './issue';
import { mapMergeRequest } from './mergeRequest';
import { mapPush } from './push';
import { mapRelease } from './release';

const MAPPERS: Readonly<Record<string, DeliveryMapper>> = {
  push: mapPush,
  merge_request: mapMergeRequest,
  deployment: mapDeployment,
  release: mapRelease,
  issue: mapIssue,
  work_item: mapIssue,
};

/** System hooks have `event_name` alone. */
const schema = z.object({
  object_kind: z.string().optional(),
  event_name: z.string().optional(),
});

/**
 * Reads a delivery of GitLab by the kind in its body: the header says `Issue Hook`
 * of issues and incidents alike.
 */
export const mapGitlab: DeliveryMapper = delivery => {
  const { object_kind, event_name } = readPayload(schema, delivery.body);
  const kind = object_kind ?? event_name ?? delivery.type;
  return Object.hasOwn(MAPPERS, kind)
    ? MAPPERS[kind](delivery)
    : ignoring(`The lake has no use for ${kind} events of GitLab`);
};
