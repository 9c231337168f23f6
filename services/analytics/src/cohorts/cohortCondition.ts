import {
  type Aggregate,
  allOf,
  anyOf,
  call,
  COUNT,
  equals,
  type Expression,
  listOf,
  not,
  type Select,
  valueOf,
} from '../query/language/Expression.ts';
import { EVENT, PERSON, TIMESTAMP } from '../query/insights/buckets.ts';
import { readOneFilter } from '../query/readFilters.ts';
import type { Clock } from '../query/readPeriod.ts';
import { move, startOf } from '../query/time/zones.ts';
import type {
  CohortFilters,
  EventCondition,
  PersonCondition,
} from './schemas.ts';

interface Place extends Clock {
  readonly projectId: string;
  /** The field of the request that contains the conditions; PostHog's field by default. */
  readonly field?: string;
}

/**
 * Builds the condition that an event belongs to one of some people, given the ids that
 * represent them.
 */
export function isOneOfPeople(people: readonly string[]): Expression {
  return call('in', [PERSON, listOf(people)], 'boolean');
}

/**
 * Builds the condition that an event belongs to a person in a cohort. It is evaluated as
 * part of the query that uses it.
 * @throws InvalidRequestError naming the field of an invalid condition.
 */
export function meetsConditions(
  { properties: { type, values } }: CohortFilters,
  place: Place,
): Expression {
  const conditions = values.map((condition, index) => {
    const { field: group = 'filters.properties' } = place;
    return condition.type === 'behavioral'
      ? didEvent(condition, place)
      : readPersonCondition(condition, `${group}.values.${index}`, place);
  });
  return type === 'OR' ? anyOf(conditions) : allOf(conditions);
}

/** The events that a condition counts, and how many of them a person must have. */
interface CountedEvents {
  /** The first moment of the period; undefined for all time. */
  readonly since?: number;
  /** The end of the period, exclusive. */
  readonly before: number;
  readonly times: number;
  /** True if people must have at most that many events, or none; otherwise, at least that many. */
  readonly atMost: boolean;
}

/** Reads an event condition. The days of its period are as in insights: today, and the days before it. */
function readEvents(
  condition: EventCondition,
  { now, calendar }: Clock,
): CountedEvents {
  const { value, time_value: time, time_interval: unit } = condition;
  const isMultiple = value === 'performed_event_multiple';
  const { zone } = calendar;
  const moved = move(now, unit, { steps: -time, zone });
  const since = startOf(moved, 'day', calendar);
  const today = startOf(now, 'day', calendar);
  return {
    // Engines cannot represent times long before 1970.
    ...(since > 0 && { since }),
    before: move(today, 'day', { steps: 1, zone }),
    times: isMultiple ? (condition.operator_value ?? 1) : 1,
    atMost: isMultiple && condition.operator === 'lte',
  };
}

/** Builds the condition that a person did an event in a period. */
function didEvent(condition: EventCondition, place: Place): Expression {
  const { projectId } = place;
  const { since, before, times, atMost } = readEvents(condition, place);
  const select: Select = {
    kind: 'select',
    from: {
      kind: 'events',
      projectId,
      events: [condition.key],
      ...(since !== undefined && { after: since - 1 }),
      before,
    },
    columns: [PERSON],
    where: [],
    groupBy: [PERSON],
    having: [
      call(
        atMost ? 'greater' : 'greaterOrEquals',
        [COUNT, valueOf(times)],
        'boolean',
      ),
    ],
  };
  // People without the event are not in the list, but meet every "at most" condition; so
  // that one is negated.
  const isOutside = atMost !== (condition.negation ?? false);
  return call(
    isOutside ? 'notIn' : 'in',
    [PERSON, { kind: 'query', select, of: 'text' }],
    'boolean',
  );
}

/** A test of whether one person meets a condition. */
export interface PersonTest {
  /** A number to compute over all events of the person. */
  readonly number: Aggregate;
  readonly isMet: (number: number) => boolean;
}

/**
 * Builds a test of each condition for one person with events, which does not search the
 * events of others.
 * @param place.person - the id that represents the person.
 */
export function readTests(
  { properties: { values } }: CohortFilters,
  place: Clock & { readonly projectId: string; readonly person: string },
): PersonTest[] {
  return values.map((condition, index) =>
    condition.type === 'behavioral'
      ? testOfEvents(condition, place)
      : testOfProfile(
          readPersonCondition(
            condition,
            `filters.properties.values.${index}`,
            place,
          ),
          place,
        ),
  );
}

function testOfEvents(condition: EventCondition, clock: Clock): PersonTest {
  const { since, before, times, atMost } = readEvents(condition, clock);
  const isWithin = allOf([
    equals(EVENT, condition.key),
    ...(since === undefined
      ? []
      : [
          call(
            'greaterOrEquals',
            [TIMESTAMP, valueOf(since, 'time')],
            'boolean',
          ),
        ]),
    call('less', [TIMESTAMP, valueOf(before, 'time')], 'boolean'),
  ]);
  return {
    number: { ...COUNT, when: isWithin },
    isMet: number =>
      (atMost ? number <= times : number >= times) !==
      (condition.negation ?? false),
  };
}

/** Counts all events if the profile meets a condition, and otherwise none. */
function testOfProfile(
  condition: Expression,
  { projectId, person }: { projectId: string; person: string },
): PersonTest {
  const select: Select = {
    kind: 'select',
    from: { kind: 'persons', projectId },
    columns: [PERSON],
    where: [equals(PERSON, person), condition],
  };
  const when = call(
    'in',
    [valueOf(person), { kind: 'query', select, of: 'text' }],
    'boolean',
  );
  return { number: { ...COUNT, when }, isMet: number => number > 0 };
}

function readPersonCondition(
  condition: PersonCondition,
  field: string,
  clock: Clock,
): Expression {
  const met = readOneFilter(condition, field, clock);
  return condition.negation ? not(met) : met;
}
