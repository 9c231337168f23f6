import { ForbiddenError } from '@slipway/service-kit';
import type { Project } from '../projects/Project.ts';
import type { Answers } from '../query/Answers.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';

/** An event of a person or group. */
interface TimelineEvent {
  readonly uuid: string;
  readonly event: string;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly distinctId: string;
  readonly properties: Record<string, unknown>;
}

/**
 * Reads the events of which a column has one of some values, latest first; returns one
 * event more than the limit if there are more.
 */
export type ReadTimeline = (
  projectId: string,
  options: {
    of: { name: string; values: readonly string[] };
    before: number;
    limit: number;
  },
) => Promise<TimelineEvent[]>;

/** The columns of a timeline, in the order of its cells. */
const COLUMNS = ['uuid', 'event', 'timestamp', 'distinct_id', 'properties'];

/** Creates a function that reads timelines. */
export function timelineReader(
  answers: Answers,
  now: () => number,
): ReadTimeline {
  return async (projectId, { of, before, limit }) => {
    const values = of.values.map(quoted).join(', ');
    const query = {
      kind: 'EventsQuery' as const,
      select: COLUMNS,
      where: [`${of.name} in (${values})`],
      orderBy: ['timestamp DESC'],
      after: 'all',
      before: new Date(before).toISOString(),
      limit,
    };
    const plan = planEventsQuery(query, { projectId, now: now() });
    const key = JSON.stringify(['timeline', projectId, query]);
    const { rows } = await answers.ask({ key, plan }, { lane: projectId });
    return rows.map(([uuid, event, timestamp, distinctId, properties]) => ({
      uuid: String(uuid),
      event: String(event),
      timestamp: Number(timestamp),
      distinctId: String(distinctId),
      properties: JSON.parse(String(properties)),
    }));
  };
}

/** Quotes a text for HogQL. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Converts a timeline for a response. */
export function timelineBody(events: readonly TimelineEvent[], limit: number) {
  return {
    events: events.slice(0, limit).map(event => ({
      uuid: event.uuid,
      event: event.event,
      timestamp: new Date(event.timestamp).toISOString(),
      distinct_id: event.distinctId,
      properties: event.properties,
    })),
    has_more: events.length > limit,
  };
}

/** @throws ForbiddenError if the project hides who did something. */
export function assertShowsPeople({ hidesPeople }: Project): void {
  if (hidesPeople) {
    throw new ForbiddenError('This project only counts people');
  }
}
