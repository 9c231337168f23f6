import { isoOf } from '@slipway/entity-contract';
import {
  type Caller,
  ForbiddenError,
  InvalidRequestError,
  parseInstant,
} from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
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
  /** The place at which the next page begins; undefined for the last page. */
  readonly next?: TimelinePlace;
}

/** A place between the events of a timeline. */
interface TimelinePlace {
  /** Milliseconds since the Unix epoch; earlier events follow. */
  readonly before: number;
  /** Events at this very time follow too if their uuids are larger; none if undefined. */
  readonly uuid?: string;
}

/**
 * Reads the events of which a column has one of some values, latest first. The next page usually
 * begins before the time of the last event, so a page has all events of that time, also beyond the
 * limit, but at most {@link MOST_AT_ONCE}.
 */
export type ReadTimeline = (
  projectId: string,
  options: {
    of: { column: 'distinct_id' | GroupOwner; values: readonly string[] };
    from: TimelinePlace;
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
/** Engines order uuids differently from their texts, by which they are compared. */
const UUID = call('lower', [{ kind: 'column', name: 'uuid' }], 'text');
/** Maximum events of one time. */
const MOST_AT_ONCE = 1_000;

/** Creates a function that reads timelines. */
export function timelineReader(answers: Pick<Answers, 'ask'>): ReadTimeline {
  return async (projectId, { of, from, limit }) => {
    const read = async (
      bounds: Pick<EventsSource, 'after' | 'before'>,
      most: number,
      afterUuid?: string,
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
          ...(afterUuid === undefined
            ? []
            : [call('greater', [UUID, valueOf(afterUuid)], 'boolean')]),
        ],
        having: [],
        orderBy: [
          { expression: TIMESTAMP, descending: true },
          ...(afterUuid === undefined
            ? []
            : [{ expression: UUID, descending: false }]),
        ],
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
    /** Returns the events of one time, and where the next page begins. */
    const readAt = async (
      time: number,
      before: readonly TimelineEvent[],
      uuid = '',
    ): Promise<TimelinePage> => {
      const [found, earlier] = await Promise.all([
        read({ after: time - 1, before: time + 1 }, MOST_AT_ONCE, uuid),
        read({ before: time }, 1),
      ]);
      const tied = found.slice(0, MOST_AT_ONCE);
      const events = [...before, ...tied];
      if (found.length > MOST_AT_ONCE) {
        return {
          events,
          next: { before: time, uuid: tied[MOST_AT_ONCE - 1].uuid },
        };
      }
      return earlier.length > 0
        ? { events, next: { before: time } }
        : { events };
    };
    if (from.uuid !== undefined) {
      return readAt(from.before, [], from.uuid);
    }
    // The store returns one event more if there are more.
    const found = await read({ before: from.before }, limit);
    const events = found.slice(0, limit);
    const last = events.at(-1)?.timestamp;
    if (last !== undefined && found.at(limit)?.timestamp === last) {
      return readAt(
        last,
        events.filter(({ timestamp }) => timestamp !== last),
      );
    }
    return last !== undefined && found.length > limit
      ? { events, next: { before: last } }
      : { events };
  };
}

const PLACE = /^(?<time>[^/]+)(?:\/(?<uuid>[0-9a-f-]{36}))?$/i;

/**
 * Reads where a page begins: a time, or `next` of another page.
 * @throws InvalidRequestError if it is neither.
 */
export function readPlace(text: string): TimelinePlace {
  const { time = '', uuid } = PLACE.exec(text)?.groups ?? {};
  const before = parseInstant(time);
  if (before === undefined) {
    throw new InvalidRequestError(
      'before must be a time, or the value of next of the previous page',
      { field: 'before', constraint: 'format' },
    );
  }
  return { before, ...(uuid !== undefined && { uuid: uuid.toLowerCase() }) };
}

/** Converts a timeline for a response. */
export function timelineBody({ events, next }: TimelinePage) {
  return {
    events: events.map(event => ({
      uuid: event.uuid,
      event: event.event,
      timestamp: isoOf(event.timestamp),
      distinct_id: event.distinctId,
      properties: event.properties,
    })),
    has_more: next !== undefined,
    ...(next && {
      next: [isoOf(next.before), next.uuid ?? []].flat().join('/'),
    }),
  };
}

/**
 * Opens a project for a caller who wants to see its people.
 *
 * @returns its id.
 * @throws ForbiddenError if the project hides who did something.
 */
export async function openPeople(
  projects: Pick<Projects, 'open'>,
  caller: Caller,
  projectId: string,
): Promise<string> {
  const { id, hidesPeople } = await projects.open(caller, projectId);
  if (hidesPeople) {
    throw new ForbiddenError('This project only counts people');
  }
  return id;
}
