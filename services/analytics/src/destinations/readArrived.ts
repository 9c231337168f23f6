import { isoOf } from '@slipway/entity-contract';
import { v7 as createUuid } from 'uuid';
import type { ExportedEvent } from '../export/eventPages.ts';
import {
  call,
  type EventsPlan,
  type Expression,
  type PlanRows,
  valueOf,
} from '../query/language/Expression.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';
import { presentRows } from '../query/answerQuery.ts';
import type { Cursor } from './storage/DestinationStore.ts';

const CREATED_AT: Expression = { kind: 'column', name: 'created_at' };
const UUID: Expression = { kind: 'column', name: 'uuid' };
/** The latest possible time of events: imported and delayed ones may have any time. */
const END_OF_TIME = '2105-12-31T00:00:00.000Z';

/** Reads events in order of arrival, after a place and before a time. */
export async function readArrived(
  scope: {
    projectId: string;
    hidesPeople: boolean;
    events?: readonly string[];
    after: Cursor;
    before: number;
    limit: number;
    now: number;
  },
  ask: (plan: EventsPlan) => Promise<PlanRows>,
): Promise<ExportedEvent[]> {
  const { projectId, hidesPeople, events, after, before, limit, now } = scope;
  const plan = planEventsQuery(
    {
      kind: 'EventsQuery',
      select: ['*'],
      orderBy: ['created_at', 'uuid'],
      after: 'all',
      before: END_OF_TIME,
      limit,
      ...(events && { events: [...events] }),
    },
    { projectId, now },
  );
  const at = valueOf(after.at, 'time');
  const arrived = [
    call('greaterOrEquals', [CREATED_AT, at], 'boolean'),
    call('less', [CREATED_AT, valueOf(before, 'time')], 'boolean'),
    call(
      'or',
      [
        call('greater', [CREATED_AT, at], 'boolean'),
        call('greater', [UUID, valueOf(after.uuid)], 'boolean'),
      ],
      'boolean',
    ),
  ];
  const { select } = plan;
  const table = {
    ...plan,
    select: { ...select, where: [...select.where, ...arrived] },
  };
  const { results } = presentRows(table, await ask(table), {
    zone: 'UTC',
    hidesPeople,
  });
  return results.map(([cell]) => cell as ExportedEvent);
}

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
