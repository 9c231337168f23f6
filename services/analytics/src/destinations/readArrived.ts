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
/** After the time of any event: those of imported and delayed events may be arbitrary. */
const END_OF_TIME = '2105-12-31T00:00:00.000Z';

/**
 * Reads events of a project in order of arrival.
 * @param scope.events - names of the events to read. Default: all.
 * @param scope.after - the position of the last event already read, which is not returned again.
 * @param scope.before - reads only events that arrived before this time, in milliseconds since
 *   the Unix epoch.
 */
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

/** Creates an event for testing a destination; `now` is in milliseconds since the Unix epoch. */
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
