import { v7 as createUuid } from 'uuid';
import type { ExportedEvent } from '../export/eventPages.ts';

/** Creates the event that tests a destination. */
export function createTestEvent(now: number): ExportedEvent {
  const at = new Date(now).toISOString();
  return {
    uuid: createUuid(),
    event: 'test event',
    distinct_id: 'test-user',
    timestamp: at,
    created_at: at,
    properties: { sent_by: 'Slipway' },
  };
}
