import { isoOf } from '@slipway/entity-contract';
import { InvalidRequestError, parseInstant } from '@slipway/service-kit';
import type { Answers } from '../query/Answers.ts';
import {
  call,
  type ColumnName,
  type Expression,
  type GroupOwner,
  type Select,
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

/** A page of events, latest first. */
interface TimelinePage {
  readonly events: readonly TimelineEvent[];
  /** The place where the next page begins; undefined for the last page. */
  readonly next?: TimelinePlace;
}

/** A place between the events of a timeline. */
interface TimelinePlace {
  /** Milliseconds since the Unix epoch; earlier events follow. */
  readonly before: number;
  /** Events at exactly this time also follow if their uuids are larger; if undefined, none do. */
  readonly uuid?: string;
}

/** The events of a project with one of some values in a column. */
interface Subject {
  readonly projectId: string;
  readonly column: 'distinct_id' | GroupOwner;
  readonly values: readonly string[];
}

/** The columns of a timeline, in the order of its cells. */
const COLUMNS: readonly ColumnName[] = [
  'uuid',
  'event',
  'timestamp',
  'distinct_id',
  'properties',
];
const TIMESTAMP: Expression = { kind: 'column', name: 'timestamp' };
/** The uuid as text: engines sort uuids differently from their texts, which are compared here. */
const UUID = call('lower', [{ kind: 'column', name: 'uuid' }], 'text');
/** Maximum events with the same time on one page. */
const MOST_AT_ONCE = 1_000;

/** Reads the events of persons and groups in pages, latest first. */
export class Timelines {
  readonly #answers: Pick<Answers, 'ask'>;
  readonly #now: () => number;

  constructor(answers: Pick<Answers, 'ask'>, now: () => number) {
    this.#answers = answers;
    this.#now = now;
  }

  /**
   * Reads a page, in the format of responses. The next page usually begins before the time
   * of the last event, so a page contains all events of that time, even beyond the limit,
   * but at most {@link MOST_AT_ONCE} of them.
   *
   * @throws InvalidRequestError if `before` is neither a time nor `next` of another page.
   */
  async read(
    subject: Subject,
    { before, limit }: { before?: string; limit: number },
  ) {
    const from =
      before === undefined ? { before: this.#now() } : readPlace(before);
    return bodyOf(
      from.uuid === undefined
        ? await this.#pageFrom(subject, from.before, limit)
        : await this.#pageAt(subject, from.before, { afterUuid: from.uuid }),
    );
  }

  async #pageFrom(
    subject: Subject,
    before: number,
    limit: number,
  ): Promise<TimelinePage> {
    // The store returns one event beyond the limit if there are more.
    const found = await this.#ask(subject, { before, limit });
    const events = found.slice(0, limit);
    const last = events.at(-1)?.timestamp;
    if (last !== undefined && found.at(limit)?.timestamp === last) {
      return this.#pageAt(subject, last, {
        later: events.filter(({ timestamp }) => timestamp !== last),
      });
    }
    return last !== undefined && found.length > limit
      ? { events, next: { before: last } }
      : { events };
  }

  /** Reads the events of one time, and where the next page begins. */
  async #pageAt(
    subject: Subject,
    time: number,
    options: { later?: readonly TimelineEvent[]; afterUuid?: string },
  ): Promise<TimelinePage> {
    const { later = [], afterUuid = '' } = options;
    const [found, earlier] = await Promise.all([
      this.#ask(subject, {
        after: time - 1,
        before: time + 1,
        afterUuid,
        limit: MOST_AT_ONCE,
      }),
      this.#ask(subject, { before: time, limit: 1 }),
    ]);
    const tied = found.slice(0, MOST_AT_ONCE);
    const events = [...later, ...tied];
    if (found.length > MOST_AT_ONCE) {
      return {
        events,
        next: { before: time, uuid: tied[MOST_AT_ONCE - 1].uuid },
      };
    }
    return earlier.length > 0 ? { events, next: { before: time } } : { events };
  }

  /** @param options.afterUuid - returns only events with larger uuids, sorted by uuid. */
  async #ask(
    { projectId, column, values }: Subject,
    options: {
      after?: number;
      before: number;
      afterUuid?: string;
      limit: number;
    },
  ): Promise<TimelineEvent[]> {
    const { afterUuid, limit, ...bounds } = options;
    const isTied = afterUuid !== undefined;
    const among = [
      { kind: 'column', name: column } as const,
      ...values.map(value => valueOf(value)),
    ];
    const select: Select = {
      kind: 'select',
      from: { kind: 'events', projectId, ...bounds },
      columns: COLUMNS.map(name => ({ kind: 'column', name })),
      where: [
        call('in', among, 'boolean'),
        ...(isTied
          ? [call('greater', [UUID, valueOf(afterUuid)], 'boolean')]
          : []),
      ],
      orderBy: [
        { expression: TIMESTAMP, descending: true },
        ...(isTied ? [{ expression: UUID, descending: false }] : []),
      ],
      limit,
    };
    const { rows } = await this.#answers.ask(
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
  }
}

const PLACE = /^(?<time>[^/]+)(?:\/(?<uuid>[0-9a-f-]{36}))?$/i;

/**
 * Parses the place where a page begins: a time, or `next` of another page.
 * @throws InvalidRequestError if it is neither.
 */
function readPlace(text: string): TimelinePlace {
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
function bodyOf({ events, next }: TimelinePage) {
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
