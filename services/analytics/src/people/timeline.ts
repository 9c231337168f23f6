import { ForbiddenError } from '@slipway/service-kit';
import type { Project } from '../projects/Project.ts';
import type { Answers } from '../query/Answers.ts';
import type { EventsSource, Select } from '../query/language/EventsPlan.ts';
import {
  call,
  type ColumnName,
  type Expression,
  type GroupOwner,
  valueOf,
} from '../query/language/Expression.ts';

/** An event of a person or group. */
interface TimelineEvent {
  readonly uuid: string;
  readonly event: string;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly distinctId: string;
  readonly properties: Record<string, unknown>;
}

/** Some of the events, latest first. */
interface TimelinePage {
  readonly events: readonly TimelineEvent[];
  /** True if there are events before the time of the last one. */
  readonly hasMore: boolean;
}

/**
 * Reads the events of which a column has one of some values, latest first. The next page begins
 * before the time of the last event, so a page has all events of that time, also beyond the limit.
 */
export type ReadTimeline = (
  projectId: string,
  options: {
    of: { column: 'distinct_id' | GroupOwner; values: readonly string[] };
    /** Exclusive, milliseconds since the Unix epoch. */
    before: number;
    limit: number;
  },
) => Promise<TimelinePage>;

/** The columns of a timeline, in the order of its cells. */
const COLUMNS: readonly ColumnName[] = [
  'uuid',
  'event',
  'timestamp',
  'distinct_id',
  'properties',
];
const TIMESTAMP: Expression = { kind: 'column', name: 'timestamp' };
/** Maximum events of one time. */
const MOST_AT_ONCE = 1_000;

/** Creates a function that reads timelines. */
export function timelineReader(answers: Answers): ReadTimeline {
  return async (projectId, { of, before, limit }) => {
    const read = async (
      bounds: Pick<EventsSource, 'after' | 'before'>,
      most: number,
    ): Promise<TimelineEvent[]> => {
      const select: Select = {
        kind: 'select',
        from: { kind: 'events', projectId, ...bounds },
        columns: COLUMNS.map(name => ({ kind: 'column', name })),
        where: [
          call(
            'in',
            [
              { kind: 'column', name: of.column },
              ...of.values.map(value => valueOf(value)),
            ],
            'boolean',
          ),
        ],
        having: [],
        orderBy: [{ expression: TIMESTAMP, descending: true }],
        limit: most,
      };
      const { rows } = await answers.ask(
        {
          key: JSON.stringify(['timeline', select]),
          plan: { projectId, select },
        },
        { lane: projectId },
      );
      return rows.map(([uuid, event, timestamp, distinctId, properties]) => ({
        uuid: String(uuid),
        event: String(event),
        timestamp: Number(timestamp),
        distinctId: String(distinctId),
        properties: JSON.parse(String(properties)),
      }));
    };
    // The store returns one event more if there are more.
    const found = await read({ before }, limit);
    const events = found.slice(0, limit);
    const last = events.at(-1)?.timestamp;
    if (last === undefined || found.at(limit)?.timestamp !== last) {
      return { events, hasMore: found.length > limit };
    }
    const [tied, earlier] = await Promise.all([
      read({ after: last - 1, before: last + 1 }, MOST_AT_ONCE),
      read({ before: last }, 1),
    ]);
    return {
      events: [
        ...events.filter(({ timestamp }) => timestamp !== last),
        ...tied.slice(0, MOST_AT_ONCE),
      ],
      hasMore: earlier.length > 0,
    };
  };
}

/** Converts a timeline for a response. */
export function timelineBody({ events, hasMore }: TimelinePage) {
  return {
    events: events.map(event => ({
      uuid: event.uuid,
      event: event.event,
      timestamp: new Date(event.timestamp).toISOString(),
      distinct_id: event.distinctId,
      properties: event.properties,
    })),
    has_more: hasMore,
  };
}

/** @throws ForbiddenError if the project hides who did something. */
export function assertShowsPeople({ hidesPeople }: Project): void {
  if (hidesPeople) {
    throw new ForbiddenError('This project only counts people');
  }
}
