import { isoOf } from '@slipway/entity-contract';
import { v7 as createUuid } from 'uuid';
import type { ExportedEvent } from '../export/eventPages.ts';

/** Creates the event that tests a destination. */
export function createTestEvent(now: number): ExportedEvent {
  const at = isoOf(now);
  return {
    uuid: createUuid(),
    event: 'test event',
    distinct_id: 'test-user',
    timestamp: at,
    created_at: at,
    properties: { sent_by: 'Slipway' },
  };
}
