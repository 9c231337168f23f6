import { LakeEvent } from './LakeEvent';

/**
 * Which record of its kind an event speaks of. Deployments and incidents are the
 * sender's; a change is the same whoever tells of it.
 */
export function recordKey(event: LakeEvent): string {
  return event.kind === 'change'
    ? JSON.stringify([event.repository, event.sha])
    : JSON.stringify([event.source, event.externalId]);
}
